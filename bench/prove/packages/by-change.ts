import type { Undoing } from "../../../sdks/agent/src/prove/undo-change.ts";
import { markdownTable } from "../../table.ts";
import type { ProvenMistake } from "./prove-package.ts";

/** Returns what undoing changes showed in all failures. */
export function changesTable(proofs: readonly ProvenMistake[]): string {
  const count = (is: (one: ProvenMistake) => boolean): string => String(proofs.filter(is).length);
  const undone = proofs.filter(({ proven }) => proven.undoing?.kind === "undone");
  const isSearched = proofs.some(({ committed }) => committed?.begun != null);
  const rows = [
    ...(isSearched ? [["the commit was found", count(isCommitFound)]] : []),
    ...(isSearched ? [["another commit was found", count((one) => isFound(one) && !isCommitFound(one))]] : []),
    ["the mistake's lines were there before", count(({ committed }) => committed?.wasThere === true)],
    ["the command passes without a part", String(undone.length)],
    ["the mistake is among it", String(undone.filter((one) => othersOf(one) !== null).length)],
    ["only the mistake is", String(undone.filter((one) => othersOf(one) === 0).length)],
    ["median lines beside it", String(median(undone.flatMap((one) => othersOf(one) ?? [])))],
    ["it fails without all of it", count(({ proven }) => proven.undoing?.kind === "fails")],
    ["undecided", count(({ proven }) => proven.undoing?.kind === "undecided")],
    ["median runs in copies", String(median(proofs.map(({ proven }) => proven.copies)))],
    ["median seconds", String(Math.round(median(proofs.map(({ proven }) => proven.tookMs)) / msPerSecond))],
  ];
  return markdownTable(["what was undone", String(proofs.length)], rows);
}

/** Returns what undoing changes showed of one failure, in words. */
export function changeLine(one: ProvenMistake): string {
  const { undoing, bisected, copies, tookMs } = one.proven;
  const others = othersOf(one);
  const named =
    undoing?.kind === "undone"
      ? `${others === null ? "undone without the mistake" : `undone with ${others} other lines`} (${placesOf(undoing)})`
      : undoing?.kind === "undecided"
        ? `undecided: ${undoing.why}`
        : (undoing?.kind ?? "nothing undone");
  const commit = bisected?.kind === "undecided" ? `undecided: ${bisected.why}` : bisected?.kind;
  const found = bisected ? `; commit ${isCommitFound(one) ? "right" : commit}` : "";
  return `  ${named}${found}; ${copies} copies, ${Math.round(tookMs / msPerSecond)} s`;
}

function placesOf(undoing: Undoing): string {
  return undoing.kind === "undone" ? undoing.undone.places.map(({ file, line }) => `${file}:${line}`).join(" ") : "";
}

function isFound({ proven: { bisected } }: ProvenMistake): boolean {
  return bisected?.kind === "found";
}

function isCommitFound({ proven: { bisected }, committed }: ProvenMistake): boolean {
  return bisected?.kind === "found" && bisected.commit.id === committed?.begun;
}

/** How many lines were undone that aren't the mistake's; null where the mistake's aren't among them. */
function othersOf({ proven: { undoing }, truth }: ProvenMistake): number | null {
  if (undoing?.kind !== "undone") return null;
  const { places, diff } = undoing.undone;
  const lines = [...places, ...changedLines(diff)];
  const isOwn = ({ file, line }: Line): boolean =>
    file === truth.file && line >= truth.line_start && line <= truth.line_end;
  const others = new Set(lines.filter((one) => !isOwn(one)).map(({ file, line }) => `${file}:${line}`));
  return lines.some(isOwn) ? others.size : null;
}

interface Line {
  readonly file: string;
  readonly line: number;
}

/** The lines of the tree that a diff takes away. */
function changedLines(diff: string): Line[] {
  return diff.split(/^(?=--- )/m).flatMap((part) => {
    const file = /^--- a\/(.+)/.exec(part)?.[1] ?? "";
    return part.split(/^(?=@@ )/m).flatMap((hunk) => {
      const begin = /^@@ -(\d+)/.exec(hunk)?.[1];
      if (begin === undefined) return [];
      let line = Number(begin) - 1;
      const taken: Line[] = [];
      for (const one of hunk.split("\n").slice(1)) {
        if (!one.startsWith("+")) line += 1;
        if (one.startsWith("-")) taken.push({ file, line });
      }
      return taken;
    });
  });
}

const msPerSecond = 1_000;

function median(numbers: readonly number[]): number {
  const sorted = numbers.toSorted((one, other) => one - other);
  return sorted[sorted.length >> 1] ?? 0;
}

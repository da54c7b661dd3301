import { extname } from "node:path";
import { hunksBetween } from "@whence/protocol";
import type { ChangedFile } from "./changed-files.ts";

/** The share of lines that a file must have in common with a removed one to be that file, moved; as in Git. */
const alikeMin = 0.5;

/** Joins files that were removed and added with most of their lines in common: what else was changed in them is undone alone. */
export function withMoves(files: readonly ChangedFile[]): ChangedFile[] {
  const removed = files.filter(({ now }) => now === null);
  const added = files.filter(({ before }) => before === null);
  const pairs = added.flatMap((to) =>
    removed.flatMap((from) => {
      const alike = extname(to.path) === extname(from.path) ? alikeness(from.before ?? "", to.now ?? "") : 0;
      const hunks = alike >= alikeMin ? hunksBetween(to.now ?? "", from.before ?? "", 0) : null;
      return hunks ? [{ to, alike, file: { ...to, before: from.before, from: from.path, hunks } }] : [];
    }),
  );
  const moves = new Map<ChangedFile, ChangedFile & { readonly from: string }>();
  const sources = new Set<string>();
  for (const { to, file } of pairs.toSorted((one, other) => other.alike - one.alike)) {
    if (moves.has(to) || sources.has(file.from)) continue;
    moves.set(to, file);
    sources.add(file.from);
  }
  return files.flatMap((file) => moves.get(file) ?? (sources.has(file.path) ? [] : [file]));
}

/** Returns the share of the lines that two texts have in common, of those of the longer one. */
function alikeness(one: string, other: string): number {
  const [left, right] = [linesOf(one), linesOf(other)];
  const total = (counts: ReadonlyMap<string, number>): number => [...counts.values()].reduce((sum, n) => sum + n, 0);
  const common = [...left].reduce((sum, [line, times]) => sum + Math.min(times, right.get(line) ?? 0), 0);
  return common / Math.max(1, total(left), total(right));
}

/** Counts the lines of a text, blank ones aside. */
function linesOf(text: string): Map<string, number> {
  const counts = new Map<string, number>();
  for (const line of text.split("\n").map((one) => one.trim()))
    if (line !== "") counts.set(line, (counts.get(line) ?? 0) + 1);
  return counts;
}

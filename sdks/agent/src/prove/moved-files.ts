import { hunksBetween } from "@whence/protocol";
import type { ChangedFile } from "./changed-file.ts";

/** The share of lines that a file must have in common with a removed one to be that file, moved; as in Git. */
const alikeMin = 0.5;

/** Joins files that were removed and added with most of their lines in common: what else was changed in them is undone alone. */
export function withMoves(files: readonly ChangedFile[]): ChangedFile[] {
  const counted = (text: string | null): CountedLines => countedLines(text ?? "");
  const removed = files.filter(({ now }) => now === null).map((from) => ({ from, had: counted(from.before) }));
  const added = files.filter(({ before }) => before === null).map((to) => ({ to, has: counted(to.now) }));
  const pairs = added.flatMap(({ to, has }) =>
    removed.flatMap(({ from, had }) => {
      const alike = alikeness(had, has);
      const hunks = alike >= alikeMin ? hunksBetween(to.now ?? "", from.before ?? "", 0) : null;
      return hunks ? [{ to, alike, file: { ...to, before: from.before, from: from.path, hunks } }] : [];
    }),
  );
  const moves = new Map<ChangedFile, ChangedFile & { readonly from: string }>();
  const sources = new Set<string>();
  for (const { to, file } of pairs.sort((one, other) => other.alike - one.alike)) {
    if (moves.has(to) || sources.has(file.from)) continue;
    moves.set(to, file);
    sources.add(file.from);
  }
  return files.flatMap((file) => moves.get(file) ?? (sources.has(file.path) ? [] : [file]));
}

interface CountedLines {
  readonly total: number;
  readonly counts: ReadonlyMap<string, number>;
}

/** Returns the share of the lines that two texts have in common, of those of the longer one. */
function alikeness(one: CountedLines, other: CountedLines): number {
  const [shorter, longer] = one.total < other.total ? [one, other] : [other, one];
  if (shorter.total < alikeMin * longer.total) return 0;
  const common = [...shorter.counts].reduce(
    (sum, [line, times]) => sum + Math.min(times, longer.counts.get(line) ?? 0),
    0,
  );
  return common / Math.max(1, longer.total);
}

/** Counts the lines of a text, blank ones aside. */
function countedLines(text: string): CountedLines {
  const lines = text.split("\n").flatMap((line) => line.trim() || []);
  const counts = new Map<string, number>();
  for (const line of lines) counts.set(line, (counts.get(line) ?? 0) + 1);
  return { total: lines.length, counts };
}

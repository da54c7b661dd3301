import type { Hunk } from "@whence/protocol";

/** Lines that are compared with each other, at most. */
const comparedMax = 10_000;
/** The share of words and signs that two lines must have in common to be one line, changed. */
const alikeMin = 0.5;

/**
 * Splits the exchange of lines for others into what may have been changed apart: neighbors that are one line each. As
 * many lines as there were are one for one; of others, those that are alike.
 */
export function partsOfHunk(hunk: Hunk): Hunk[] {
  const { oldLines, newLines, lines } = hunk;
  // The mark of a text without a line end belongs to the line above it.
  if (oldLines === 0 || newLines === 0 || lines.length !== oldLines + newLines) return [hunk];
  const pairs =
    oldLines === newLines ? lines.slice(0, oldLines).map((_, index) => [index, index] as const) : alike(hunk);
  const parts: Hunk[] = [];
  let [oldAt, newAt] = [0, 0];
  const until = (oldEnd: number, newEnd: number): void => {
    if (oldEnd > oldAt || newEnd > newAt) parts.push(slice(hunk, [oldAt, oldEnd], [newAt, newEnd]));
    [oldAt, newAt] = [oldEnd, newEnd];
  };
  for (const [oldIndex, newIndex] of pairs) {
    until(oldIndex, newIndex);
    until(oldIndex + 1, newIndex + 1);
  }
  until(oldLines, newLines);
  return parts;
}

type Range = readonly [from: number, to: number];

function slice({ oldStart, oldLines, newStart, lines }: Hunk, [from, to]: Range, [newFrom, newTo]: Range): Hunk {
  return {
    oldStart: oldStart + from,
    oldLines: to - from,
    newStart: newStart + newFrom,
    newLines: newTo - newFrom,
    lines: [...lines.slice(from, to), ...lines.slice(oldLines + newFrom, oldLines + newTo)],
  };
}

/** Returns which lines became which, in their order, so that as much as possible is alike. */
function alike({ oldLines, newLines, lines }: Hunk): (readonly [number, number])[] {
  if (oldLines * newLines > comparedMax) return [];
  const words = lines.map((line) => line.slice(1).match(/\w+|[^\w\s]/g) ?? []);
  const isAlike = (index: number, other: number): number => {
    const share = shareOf(words[index] ?? [], words[oldLines + other] ?? []);
    return share < alikeMin ? 0 : share;
  };
  // The best sum of the lines from each pair on.
  const best: number[][] = Array.from({ length: oldLines + 1 }, () => []);
  const sum = (index: number, other: number): number => best[index]?.[other] ?? 0;
  for (const [index, row] of [...best.entries()].slice(0, oldLines).reverse())
    for (let other = newLines - 1; other >= 0; other--)
      row[other] = Math.max(
        sum(index + 1, other),
        sum(index, other + 1),
        isAlike(index, other) + sum(index + 1, other + 1),
      );
  const pairs: (readonly [number, number])[] = [];
  for (let [index, other] = [0, 0]; index < oldLines && other < newLines; ) {
    if (sum(index, other) === sum(index + 1, other)) index += 1;
    else if (sum(index, other) === sum(index, other + 1)) other += 1;
    else pairs.push([index++, other++]);
  }
  return pairs;
}

/** Returns the share of words that two lines have in common, of those of the longer one. */
function shareOf(one: readonly string[], other: readonly string[]): number {
  const left = [...other];
  let common = 0;
  for (const word of one) {
    const at = left.indexOf(word);
    if (at < 0) continue;
    left.splice(at, 1);
    common += 1;
  }
  return common / Math.max(1, one.length, other.length);
}

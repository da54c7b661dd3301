/** A line of one of two texts, or of both. */
export interface DiffLine {
  readonly change: "same" | "added" | "removed";
  readonly text: string;
}

/** Maximum pairs of lines that are compared; with more, the differing part is shown as removed and added as a whole. */
const pairsMax = 250_000;

/** Returns the edits that turn the lines of `before` into those of `after`. */
export function lineDiff(before: string, after: string): DiffLine[] {
  const [old, now] = [linesOf(before), linesOf(after)];
  const start = commonStart(old, now);
  const end = commonStart(old.slice(start).reverse(), now.slice(start).reverse());
  const [removed, added] = [old.slice(start, old.length - end), now.slice(start, now.length - end)];
  return [
    ...marked("same", old.slice(0, start)),
    ...(removed.length * added.length > pairsMax
      ? [...marked("removed", removed), ...marked("added", added)]
      : middleDiff(removed, added)),
    ...marked("same", now.slice(now.length - end)),
  ];
}

function linesOf(text: string): string[] {
  return text === "" ? [] : text.split("\n");
}

function marked(change: DiffLine["change"], lines: readonly string[]): DiffLine[] {
  return lines.map((text) => ({ change, text }));
}

function commonStart(one: readonly string[], other: readonly string[]): number {
  const length = Math.min(one.length, other.length);
  for (let index = 0; index < length; index++) if (one[index] !== other[index]) return index;
  return length;
}

/** Follows the longest common subsequence of lines. */
function middleDiff(old: readonly string[], now: readonly string[]): DiffLine[] {
  const lengths = commonLengths(old, now);
  const at = (row: number, column: number): number => lengths[row]?.[column] ?? 0;
  const lines: DiffLine[] = [];
  let [row, column] = [0, 0];
  while (row < old.length || column < now.length) {
    const [left, right] = [old[row], now[column]];
    if (left !== undefined && left === right) {
      lines.push({ change: "same", text: left });
      row += 1;
      column += 1;
    } else if (left !== undefined && (right === undefined || at(row + 1, column) >= at(row, column + 1))) {
      lines.push({ change: "removed", text: left });
      row += 1;
    } else if (right !== undefined) {
      lines.push({ change: "added", text: right });
      column += 1;
    }
  }
  return lines;
}

/** Returns, by row and column, how many lines the remainders have in common. */
function commonLengths(old: readonly string[], now: readonly string[]): Uint32Array[] {
  const rows = Array.from({ length: old.length + 1 }, () => new Uint32Array(now.length + 1));
  for (let row = old.length - 1; row >= 0; row--) {
    const [own, next] = [rows[row], rows[row + 1]];
    if (!own || !next) continue;
    for (let column = now.length - 1; column >= 0; column--) {
      own[column] =
        old[row] === now[column] ? (next[column + 1] ?? 0) + 1 : Math.max(next[column] ?? 0, own[column + 1] ?? 0);
    }
  }
  return rows;
}

/** Names that differ in more letters than this are different names. */
const lettersApartMax = 2;
const nameUnitsMax = 60;

/** Returns the name whose spelling is almost that of another; null without one. */
export function closest(names: readonly string[], wanted: string): string | null {
  let best: string | null = null;
  let bestApart = Math.min(lettersApartMax, Math.floor(wanted.length / 3)) + 1;
  for (const name of names) {
    const apart = lettersApart(plainName(name), plainName(wanted));
    if (name !== wanted && apart < bestApart) [best, bestApart] = [name, apart];
  }
  return best;
}

/** `retry_max`, `retryMax`, and `RETRY-MAX` are the same words. */
function plainName(name: string): string {
  return name.replace(/[_-]/g, "").toLowerCase();
}

/** Returns how many letters must be inserted, deleted, or replaced. */
function lettersApart(left: string, right: string): number {
  if (left.length > nameUnitsMax || right.length > nameUnitsMax) return nameUnitsMax;
  let row = Array.from({ length: right.length + 1 }, (_, index) => index);
  for (let at = 1; at <= left.length; at++) {
    const next = [at];
    for (let to = 1; to <= right.length; to++) {
      const same = (row[to - 1] ?? 0) + (left[at - 1] === right[to - 1] ? 0 : 1);
      next.push(Math.min(same, (row[to] ?? 0) + 1, (next[to - 1] ?? 0) + 1));
    }
    row = next;
  }
  return row[right.length] ?? 0;
}

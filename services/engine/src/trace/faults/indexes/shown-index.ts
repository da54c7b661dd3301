/** An index that an error shows, and the length of what has no such element; null for what it doesn't show. */
export interface ShownIndex {
  readonly index: number;
  readonly length: number | null;
}

const shown: readonly RegExp[] = [
  // Go
  /out of range \[:{0,2}(-?\d{1,15})\](?: with (?:length|capacity) (\d{1,15}))?/,
  // Java
  /[Ii]ndex:? (-?\d{1,15})(?: out of bounds for length |,? [Ss]ize:? |, length:? )(\d{1,15})/,
  /String index out of range: (-?\d{1,15})/,
  /begin -?\d{1,15}, end (-?\d{1,15}), length (\d{1,15})/,
  // Ruby
  /index (-?\d{1,15}) outside of array bounds/,
];

/** Returns the index that an error says is out of range. */
export function shownIndex(said: string): ShownIndex | null {
  for (const pattern of shown) {
    const match = pattern.exec(said);
    if (match) return { index: Number(match[1]), length: match[2] === undefined ? null : Number(match[2]) };
  }
  return null;
}

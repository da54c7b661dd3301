/**
 * Returns a part of a list that has a property which the whole list has, and loses it when any one element is left out:
 * delta debugging (`ddmin`; Zeller and Hildebrandt, "Simplifying and Isolating Failure-Inducing Input", 2002). Once
 * `isOver`, it returns the smallest part that was found.
 */
export async function minimalPart<Element>(
  whole: readonly Element[],
  has: (part: readonly Element[]) => Promise<boolean>,
  isOver: () => boolean,
): Promise<readonly Element[]> {
  let current = whole;
  let pieces = 2;
  while (current.length > 1 && !isOver()) {
    const chunks = piecesOf(current, pieces);
    const without = chunks.map((_, left) => chunks.flatMap((chunk, index) => (index === left ? [] : chunk)));
    // The complements of two halves are the halves.
    const smaller = await firstWith(pieces === 2 ? chunks : [...chunks, ...without], has, isOver);
    if (smaller !== undefined) {
      pieces = chunks.includes(smaller) ? 2 : pieces - 1;
      current = smaller;
    } else if (pieces >= current.length) break;
    else pieces = Math.min(current.length, 2 * pieces);
  }
  return current;
}

async function firstWith<Part>(
  parts: readonly Part[],
  has: (part: Part) => Promise<boolean>,
  isOver: () => boolean,
): Promise<Part | undefined> {
  for (const part of parts) {
    if (isOver()) return undefined;
    if (await has(part)) return part;
  }
  return undefined;
}

/** Splits a list into so many pieces of about the same length, none of them empty. */
function piecesOf<Element>(list: readonly Element[], pieces: number): Element[][] {
  return Array.from({ length: pieces }, (_, index) =>
    list.slice(Math.floor((index * list.length) / pieces), Math.floor(((index + 1) * list.length) / pieces)),
  ).filter((piece) => piece.length > 0);
}

const gramsPerPiece = 350;
const gramsPerBox = 5_000;

/** What each box of a parcel weighs. */
export function boxesOf(quantity: number): number[] {
  const boxes: number[] = [];
  let left = quantity * gramsPerPiece;
  while (left > 0) {
    const grams = Math.min(left, gramsPerBox);
    boxes.push(grams);
    left -= grams;
  }
  return boxes;
}

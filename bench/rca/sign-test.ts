/** Returns the probability of losing at least `lost`, by chance, of the cases on which two ways of answering differ. */
export function chanceOfLosing(lost: number, won: number): number {
  const cases = lost + won;
  let ways = 1;
  let sum = 0;
  for (let losses = 0; losses <= cases; losses++) {
    if (losses >= lost) sum += ways;
    ways *= (cases - losses) / (losses + 1);
  }
  return sum / 2 ** cases;
}

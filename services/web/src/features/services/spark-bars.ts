/** A bar of a chart of hours, in pixels from its lower edge. */
export interface SparkBar {
  readonly at: number;
  readonly height: number;
  /** Whether there is anything to show: else the bar is only a base line. */
  readonly isEmpty: boolean;
}

/** One event among thousands is seen, too. */
const leastPx = 2;
const basePx = 1;

/** A bar for each hour, as high as its share of the largest one. */
export function sparkBars(
  hours: readonly { readonly at: number; readonly value: number }[],
  heightPx: number,
): SparkBar[] {
  const most = Math.max(...hours.map(({ value }) => value));
  return hours.map(({ at, value }) => {
    const isEmpty = value === 0;
    return { at, isEmpty, height: isEmpty ? basePx : Math.max(leastPx, (value / most) * heightPx) };
  });
}

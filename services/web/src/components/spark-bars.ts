/** A bar of a chart of hours, in pixels from its bottom edge. */
export interface SparkBar {
  readonly at: number;
  readonly height: number;
  /** Whether it is only a baseline because there is nothing to show. */
  readonly isEmpty: boolean;
}

/** Keeps a single event among thousands visible. */
const leastPx = 2;
const basePx = 1;

/** Returns a bar for each hour, with a height relative to the largest one. */
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

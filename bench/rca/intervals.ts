const z95 = 1.96;

/**
 * Formats a share with its 95% interval by Wilson's method, which is valid for few cases and for shares near 0 and 1.
 */
export function shareText(right: number, of: number): string {
  if (of === 0) return "-";
  const share = right / of;
  const width = 1 + z95 ** 2 / of;
  const middle = (share + z95 ** 2 / (2 * of)) / width;
  const half = (z95 / width) * Math.sqrt((share * (1 - share)) / of + z95 ** 2 / (4 * of ** 2));
  const percent = (value: number): string => (100 * Math.min(1, Math.max(0, value))).toFixed(0);
  return `${percent(share)}% [${percent(middle - half)}-${percent(middle + half)}]`;
}

/**
 * Formats the mean of changes in percentage points, and half the width of its 95% interval. Cases of one group (a
 * repository, a service) change together, so groups are resampled.
 */
export function changeText(changes: readonly { readonly group: string; readonly change: number }[]): string {
  const mean = changes.reduce((sum, { change }) => sum + change, 0) / changes.length;
  const groups = [...Map.groupBy(changes, ({ group }) => group).values()];
  const deviations = groups.map((members) => members.reduce((sum, { change }) => sum + change - mean, 0));
  const error = Math.sqrt(deviations.reduce((sum, deviation) => sum + deviation ** 2, 0)) / changes.length;
  const points = (value: number): string => (100 * value).toFixed(1);
  return `${mean > 0 ? "+" : ""}${points(mean)} ±${points(z95 * error)}`;
}

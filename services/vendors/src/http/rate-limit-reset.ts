/**
 * Returns how long to wait, from a header with the time at which a limit is lifted, as a Unix time in units of
 * `unitMs`.
 */
export function untilReset(
  header: string,
  unitMs: number,
): (headers: Readonly<Record<string, string>>, now: number) => number | null {
  return (headers, now) => {
    const reset = Number(headers[header] ?? Number.NaN);
    return Number.isNaN(reset) ? null : Math.max(0, reset * unitMs - now);
  };
}

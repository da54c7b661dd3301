/** How long before an error a call may have been recorded and still have led to it. */
const beforeErrorMs = 30_000;
/** Tolerance for clocks within one process; a call is recorded when it begins. */
const afterErrorMs = 1_000;

/** Whether a call was made shortly enough before an error to have led to it. Both times are RFC 3339. */
export function isShortlyBefore(call: string, error: string): boolean {
  const beforeMs = Date.parse(error) - Date.parse(call);
  return beforeMs <= beforeErrorMs && beforeMs >= -afterErrorMs;
}

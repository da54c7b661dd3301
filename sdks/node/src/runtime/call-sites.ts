/**
 * Returns the newest `limit` calls that led to `callee`; empty in a program that has frozen `Error`.
 *
 * Settings are changed and restored without throwing, since this runs inside the program's calls. That is impossible on
 * a full stack as well, where a changed setting must still be restored.
 */
export function callSites(callee: (...args: never[]) => unknown, limit: number): readonly NodeJS.CallSite[] {
  const { prepareStackTrace, stackTraceLimit } = Error;
  const holder: { stack?: unknown } = {};
  try {
    if (!Reflect.set(Error, "prepareStackTrace", (_error: unknown, calls: unknown) => calls)) return [];
    Reflect.set(Error, "stackTraceLimit", limit);
    Error.captureStackTrace(holder, callee);
    const calls: unknown = holder.stack;
    return Array.isArray(calls) ? calls : [];
  } catch {
    return [];
  } finally {
    Reflect.set(Error, "stackTraceLimit", stackTraceLimit);
    if (prepareStackTrace === undefined) Reflect.deleteProperty(Error, "prepareStackTrace");
    else Reflect.set(Error, "prepareStackTrace", prepareStackTrace);
  }
}

/**
 * Returns the newest `limit` calls that led to `callee`; empty in a program that has frozen `Error`.
 *
 * What has to be set is set and restored without a throw, since this runs inside the program's calls. In a program
 * whose stack is full that is impossible as well, and what was set must be restored.
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

import { loadBuiltin } from "../../runtime/load-builtin.ts";
import { readProperty } from "../../runtime/read-property.ts";

/** An error reaches the parent thread as a copy, which keeps properties with plain names only. */
const mark = "whenceReported";

/** Marks an error, in a worker thread, as reported by the thread's own client. */
export function markReported(error: unknown): void {
  const { isMainThread }: typeof import("node:worker_threads") = loadBuiltin("node:worker_threads");
  if (isMainThread || typeof error !== "object" || error === null) return;
  if (Object.isExtensible(error)) Object.defineProperty(error, mark, { value: true, enumerable: false });
}

/** Whether this is a copy of an error that a worker thread's client has reported. */
export function wasReportedByThread(error: unknown): boolean {
  return readProperty(error, mark) === true;
}

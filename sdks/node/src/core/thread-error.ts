import { loadWhenNeeded } from "../runtime/load-when-needed.ts";
import { readProperty } from "../runtime/read-property.ts";

/** An error crosses from a thread to the one that started it as a copy that keeps properties with such names only. */
const mark = "whenceReported";

/** In a thread: makes the error's copy tell that the thread's own client has reported it. */
export function markReported(error: unknown): void {
  const { isMainThread }: typeof import("node:worker_threads") = loadWhenNeeded("node:worker_threads");
  if (isMainThread || typeof error !== "object" || error === null) return;
  if (Object.isExtensible(error)) Object.defineProperty(error, mark, { value: true, enumerable: false });
}

/** Whether this came from a thread whose client has reported it. */
export function wasReported(error: unknown): boolean {
  return readProperty(error, mark) === true;
}

import { loadWhenNeeded } from "../load-when-needed.ts";

/** `node:fs/promises`, for those who spool. */
export function disk(): typeof import("node:fs/promises") {
  return loadWhenNeeded("node:fs/promises");
}

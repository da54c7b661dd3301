import { loadWhenNeeded } from "./load-when-needed.ts";

/** `node:fs/promises`, loaded by those who need it. */
export function disk(): typeof import("node:fs/promises") {
  return loadWhenNeeded("node:fs/promises");
}

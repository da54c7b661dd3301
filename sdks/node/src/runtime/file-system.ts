import { loadBuiltin } from "./load-builtin.ts";

/** Returns `node:fs/promises`, loaded on first use. */
export function fileSystem(): typeof import("node:fs/promises") {
  return loadBuiltin("node:fs/promises");
}

import { existsSync } from "node:fs";
import { join } from "node:path";

/** Returns the path of the Python with the clients' packages; throws an error that says how to install it. */
export function findPython(): string {
  const path = join(import.meta.dirname, "../../node_modules/.python/bin/python");
  if (!existsSync(path)) throw new Error("Python's packages are not installed: run sdks/python/install-tests");
  return path;
}

import { createRequire } from "node:module";
import { dirname, join } from "node:path";

/** A version of Node for running programs. */
export interface Runtime {
  /** Its major version. */
  readonly name: string;
  readonly path: string;
}

const require = createRequire(import.meta.url);
const binary = (manifest: string): string => join(dirname(manifest), "bin", "node");

/**
 * The oldest supported version, each release line since, and the repository's own. The binaries are for Linux on x64.
 */
export const runtimes: readonly Runtime[] = [
  { name: "18", path: binary(require.resolve("node-18/package.json")) },
  { name: "20", path: binary(require.resolve("node-20/package.json")) },
  { name: "22", path: binary(require.resolve("node-22/package.json")) },
  { name: "24", path: binary(require.resolve("node-24/package.json")) },
  { name: "26", path: process.execPath },
];

/** Returns the runtime of a major version. */
export function runtimeNamed(name: string): Runtime {
  const found = runtimes.find((runtime) => runtime.name === name);
  if (!found) throw new Error(`no Node ${name}`);
  return found;
}

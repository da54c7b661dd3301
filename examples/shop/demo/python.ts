import { spawnSync } from "node:child_process";
import { delimiter, join } from "node:path";

const programs = ["python3", "python3.14", "python3.13", "python3.12", "python3.11", "python3.10"];
const isNewEnough = "import sys; sys.exit(sys.version_info < (3, 10))";
const repository = join(import.meta.dirname, "../../..");

let found: { readonly program: string | undefined } | undefined;

/** Returns a Python 3.10 or newer: what WHENCE_PYTHON names, else the first on PATH; undefined if there is none. */
export function findPython(): string | undefined {
  const { WHENCE_PYTHON: named } = process.env;
  const candidates = named ? [named] : programs;
  found ??= { program: candidates.find((name) => spawnSync(name, ["-c", isNewEnough]).status === 0) };
  return found.program;
}

/** The line that says what is left out without {@link findPython}. */
export const withoutPython = "Without Python 3.10 or newer, the shop runs without its service in Python, discounts.";

/** Where a service in Python finds the client, and the shop's names. */
export const pythonPath: string = [
  join(repository, "sdks/python/src"),
  join(repository, "examples/shop/demo/names"),
].join(delimiter);

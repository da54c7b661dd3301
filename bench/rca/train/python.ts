import { spawnSync } from "node:child_process";
import { existsSync } from "node:fs";
import { join } from "node:path";
import { cacheFolder } from "../corpora/package-cache.ts";

/** scikit-learn and LightGBM in fixed versions, so that the same cases give the same model. */
const requirements = join(import.meta.dirname, "requirements.txt");
const environment = join(cacheFolder, "training");

/**
 * Runs a Python program with the libraries of `requirements.txt`, which are installed once.
 *
 * @throws {Error} when it fails.
 */
export function runPython(program: string, parameters: readonly string[]): void {
  const interpreter = join(environment, "bin/python");
  if (!existsSync(interpreter)) {
    run("python3", ["-m", "venv", environment]);
    run(interpreter, ["-m", "pip", "install", "--quiet", "-r", requirements]);
  }
  run(interpreter, [program, ...parameters]);
}

function run(program: string, parameters: readonly string[]): void {
  const { status } = spawnSync(program, parameters, { stdio: ["ignore", "inherit", "inherit"] });
  if (status !== 0) throw new Error(`${program} ${parameters[0]} ended with ${status}`);
}

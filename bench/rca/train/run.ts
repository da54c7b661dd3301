import { spawnSync } from "node:child_process";
import { existsSync, mkdirSync, mkdtempSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { RcaCase } from "../cases.ts";
import { cacheFolder } from "../corpora/package-cache.ts";
import { featuresOf } from "./features.ts";

/** scikit-learn and LightGBM at fixed versions: the same cases give the same model. */
const requirements = join(import.meta.dirname, "requirements.txt");
const environment = join(cacheFolder, "training");
const shipped = join(import.meta.dirname, "../../../services/engine/src/rank/model.json");
const folds = join(import.meta.dirname, "../models");

/** Makes `model.json` and the folds' models again, from the features of all cases that may train. */
export async function train(cases: readonly RcaCase[]): Promise<void> {
  const folder = mkdtempSync(join(tmpdir(), "whence-train-"));
  try {
    const features = join(folder, "features.jsonl");
    const lines: string[] = [];
    for (const rca of cases) lines.push(JSON.stringify(await featuresOf(rca)));
    writeFileSync(features, `${lines.join("\n")}\n`);
    mkdirSync(folds, { recursive: true });
    run(python(), [join(import.meta.dirname, "train.py"), folds, features]);
    renameSync(join(folds, "model.json"), shipped);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

/** The interpreter of an environment with the libraries; made once. */
function python(): string {
  const program = join(environment, "bin/python");
  if (!existsSync(program)) {
    run("python3", ["-m", "venv", environment]);
    run(program, ["-m", "pip", "install", "--quiet", "-r", requirements]);
  }
  return program;
}

function run(program: string, options: readonly string[]): void {
  const { status } = spawnSync(program, options, { stdio: ["ignore", "inherit", "inherit"] });
  if (status !== 0) throw new Error(`${program} ${options[0]} ended with ${status}`);
}

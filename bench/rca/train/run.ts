import { mkdirSync, mkdtempSync, renameSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { RecordedCase } from "../cases.ts";
import { corporaDigest } from "../corpora-digest.ts";
import { inForms } from "../forms.ts";
import { writeFeatures } from "./features.ts";
import { runPython } from "./python.ts";

const program = join(import.meta.dirname, "train.py");
const shipped = join(import.meta.dirname, "../../../services/engine/src/rank/model.json");
const folds = join(import.meta.dirname, "../models");

/** Makes `model.json` and the folds' models again, from the features of all cases that may train. */
export async function train(cases: readonly RecordedCase[]): Promise<void> {
  const folder = mkdtempSync(join(tmpdir(), "whence-train-"));
  try {
    const features = join(folder, "features.jsonl");
    await writeFeatures(features, await inForms(cases));
    mkdirSync(folds, { recursive: true });
    runPython(program, [folds, corporaDigest(), features]);
    renameSync(join(folds, "model.json"), shipped);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

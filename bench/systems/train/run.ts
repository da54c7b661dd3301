import { createHash } from "node:crypto";
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { serviceFeatures } from "@whence/engine/ranking";
import { runPython } from "../../rca/train/python.ts";
import type { Cause } from "../fault.ts";
import { observationOf, type RecordedRun } from "../recorded-run.ts";
import { type SuspectSigns, suspectSigns } from "./suspect-signs.ts";

const program = join(import.meta.dirname, "train.py");
const comparison = join(import.meta.dirname, "forms.py");
/** The model of all runs, and those that didn't see the systems, or the operators, of a fold. */
export const foldsFolder: string = join(import.meta.dirname, "../models");

/** What the training reads of a case. */
interface TrainingCase {
  readonly id: string;
  readonly topology: number;
  readonly operator: string;
  /** The cases of a run count as much as one. */
  readonly weight: number;
  /** Which of the suspects caused it; none when it isn't among them. */
  readonly right: readonly number[];
  /** How likely the first place in the failing service's own code is, if the cause is there; 0 without code. */
  readonly place: number;
  readonly isKnownFailure: boolean;
  /** The failing service first. */
  readonly suspects: readonly SuspectSigns[];
}

/** Makes `learned.json` and the models of the folds again, from recorded runs. */
export async function train(runs: readonly RecordedRun[]): Promise<void> {
  const cases = await trainingCases(runs);
  const digest = createHash("sha256").update(JSON.stringify(runs)).digest("hex");
  const trained = { on: new Date().toISOString().slice(0, 10), runs_sha256: digest, runs: runs.length };
  const folder = mkdtempSync(join(tmpdir(), "whence-train-"));
  try {
    const features = join(folder, "features.jsonl");
    writeFileSync(features, [trained, ...cases].map((one) => `${JSON.stringify(one)}\n`).join(""));
    mkdirSync(foldsFolder, { recursive: true });
    runPython(program, [foldsFolder, features]);
    runPython(comparison, [features]);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

async function trainingCases(runs: readonly RecordedRun[]): Promise<TrainingCase[]> {
  const cases: TrainingCase[] = [];
  for (const { seed, topology, operator, cause, cases: recorded } of runs) {
    for (const [index, { subject, observations }] of recorded.entries()) {
      const features = await serviceFeatures(subject, observations.map(observationOf));
      const suspects = suspectSigns(features);
      const { place, isKnownFailure } = features;
      const base = { id: `${seed}-${index}`, topology, operator, weight: 1 / recorded.length };
      cases.push({ ...base, place, isKnownFailure, suspects, right: rightOnes(suspects, cause) });
    }
  }
  return cases;
}

/** The third party or database that is the cause, the services that depend on it, or a service by the name of its host. */
function rightOnes(suspects: readonly SuspectSigns[], { services, dependency }: Cause): number[] {
  const names = [...services, ...(dependency === null ? [] : [hostOf(dependency)])];
  return suspects.flatMap(({ service, host }, index) =>
    [service, host === null ? null : hostOf(host)].some((name) => name !== null && names.includes(name)) ? [index] : [],
  );
}

function hostOf(address: string): string {
  return address.split(":")[0] ?? address;
}

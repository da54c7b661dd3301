import { readFileSync } from "node:fs";
import { join } from "node:path";
import { type Proven, proveFailing } from "../prove-case.ts";
import { type BySuspicion, bySuspicion } from "./by-suspicion.ts";
import { type LaidOut, layOut } from "./lay-out.ts";
import { groupOf, type PackageMistake, readMistakes, readPackages, type TestedPackage } from "./tested-package.ts";
import { type Committed, type History, withHistory, withoutHistory } from "./with-history.ts";
import { withMistake } from "./with-mistake.ts";

/** A proof of a package's mistake, and which functions coverage alone suspects where it is known. */
export interface ProvenMistake {
  readonly proven: Proven;
  readonly truth: PackageMistake["truth"];
  /** Where the mistake is in the package's history; null without one. */
  readonly committed: Committed | null;
  readonly suspects: BySuspicion | null;
}

/** A whole suite of tests takes longer than one program. */
const withinMs = 120_000;
const laidOut = new Map<string, Promise<LaidOut>>();

/** The names of the recorded mistakes in a language, in the order of the file. */
export function mistakeNames(language: string): string[] {
  const isPython = language === "python";
  const packages = readPackages().filter((one) => (one.language === "python") === isPython);
  return readMistakes().flatMap(({ id, package: name }) => (packages.some((one) => one.name === name) ? [id] : []));
}

/**
 * Proves one mistake of a package by its own tests. Null when they pass, no report was written, or there is no earlier
 * state.
 */
export async function proveMistake(name: string, history: History): Promise<ProvenMistake | null> {
  const mistake = readMistakes().find(({ id }) => id === name);
  const one = readPackages().find((each) => each.name === mistake?.package);
  if (!mistake || !one) return null;
  const pending = laidOut.get(one.name) ?? layOut(one);
  laidOut.set(one.name, pending);
  const there = await pending;
  withoutHistory(there);
  return withMistake(there, mistake, () =>
    history === "none"
      ? proveIn(there, one, mistake, null)
      : withHistory(one, there, mistake, history, (committed) => proveIn(there, one, mistake, committed)),
  );
}

async function proveIn(
  { folder, command, environment }: LaidOut,
  one: TestedPackage,
  { id, truth, operator }: PackageMistake,
  committed: Committed | null,
): Promise<ProvenMistake | null> {
  const proven = await proveFailing({
    ...{ id, group: groupOf(one), truth, also: [], operator },
    ...{ command, folder, environment, withinMs },
    ...(committed?.begun != null && { good: committed.good }),
  });
  const textOf = (file: string): string => readFileSync(join(folder, file), "utf8");
  return proven && { proven, committed, truth, suspects: proven.ran && bySuspicion(proven.ran, truth, textOf) };
}

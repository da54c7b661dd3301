import { readFileSync } from "node:fs";
import { join } from "node:path";
import { type Proven, proveFailing } from "../prove-case.ts";
import { type BySuspicion, bySuspicion } from "./by-suspicion.ts";
import { type LaidOut, layOut } from "./lay-out.ts";
import { groupOf, readMistakes, readPackages } from "./tested-package.ts";
import { withMistake } from "./with-mistake.ts";

/** A proof of a package's mistake, and which functions coverage alone suspects where it is known. */
export interface ProvenMistake {
  readonly proven: Proven;
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

/** Proves one mistake of a package by its own tests. Null when they pass or no report was written. */
export async function proveMistake(name: string): Promise<ProvenMistake | null> {
  const mistake = readMistakes().find(({ id }) => id === name);
  const one = readPackages().find((each) => each.name === mistake?.package);
  if (!mistake || !one) return null;
  const there = laidOut.get(one.name) ?? layOut(one);
  laidOut.set(one.name, there);
  const { folder, command, environment } = await there;
  return withMistake(await there, mistake, async () => {
    const { id, truth, operator } = mistake;
    const proven = await proveFailing({
      ...{ id, group: groupOf(one), truth, also: [], operator },
      ...{ command, folder, environment, withinMs },
    });
    const textOf = (file: string): string => readFileSync(join(folder, file), "utf8");
    return proven && { proven, suspects: proven.ran && bySuspicion(proven.ran, truth, textOf) };
  });
}

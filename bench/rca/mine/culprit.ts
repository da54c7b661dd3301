import { readFileSync } from "node:fs";
import { join } from "node:path";
import { type Crash, firstLine } from "./crash.ts";
import type { Environment } from "./ecosystem.ts";
import { applyHunks, type Hunk, hunksBetween, isSubstantial } from "./hunks.ts";
import { overlay, restore } from "./overlay.ts";

/** The maximum number of test runs for finding the hunks of one culprit. */
const hunkRunsMax = 40;

/** A file whose change alone makes the test pass, and the hunks that are needed for it. */
export interface Culprit {
  readonly file: string;
  readonly text: string;
  readonly needed: readonly Hunk[];
}

/** Says whether a crash is gone. */
export type Verdict = (crash: CrashedTest) => boolean;

type CrashedTest = Pick<Crash, "test" | "message">;

/** Runs a test file with files of the newer version. */
async function judge(
  environment: Environment,
  testFile: string,
  texts: ReadonlyMap<string, string | null>,
  crashes: readonly CrashedTest[],
): Promise<Verdict> {
  overlay(environment, texts);
  try {
    const only = crashes.map(({ test }) => test);
    const results = (await environment.pair.ecosystem.runTests(environment, testFile, only)) ?? [];
    const passed = new Set(results.filter(({ failed, ended }) => ended && !failed).map(({ name }) => name));
    // An uncaught error may be attributed to another test from run to run.
    const thrown = new Set(results.flatMap(({ crash }) => (crash === undefined ? [] : [firstLine(crash.message)])));
    return ({ test, message }) => passed.has(test) && !thrown.has(message);
  } finally {
    restore(environment, texts.keys());
  }
}

const newerText = ({ pair }: Environment, file: string): string => readFileSync(join(pair.newerFolder, file), "utf8");

function newerTexts(environment: Environment, files: readonly string[]): Map<string, string> {
  return new Map(files.map((file) => [file, newerText(environment, file)]));
}

/** Tests which crashes are gone with the newer version of one file. */
export function judgeFile(
  environment: Environment,
  testFile: string,
  crashes: readonly CrashedTest[],
  file: string,
): Promise<Verdict> {
  return judge(environment, testFile, newerTexts(environment, [file, ...environment.pair.added]), crashes);
}

/** Tests which crashes are gone with all of the newer version's code. */
export function judgeNewer(
  environment: Environment,
  testFile: string,
  crashes: readonly CrashedTest[],
): Promise<Verdict> {
  const { changed, added } = environment.pair;
  return judge(environment, testFile, newerTexts(environment, [...changed, ...added]), crashes);
}

/**
 * Returns, for each test, the files whose change alone makes it pass. New files are included, since nothing else uses
 * them.
 */
export async function filesThatFix(
  environment: Environment,
  testFile: string,
  crashes: readonly Crash[],
): Promise<ReadonlyMap<Crash, readonly string[]>> {
  const { changed } = environment.pair;
  const fixing = new Map<Crash, string[]>(crashes.map((crash) => [crash, []]));
  for (const file of changed) {
    const isGone = await judgeFile(environment, testFile, crashes, file);
    for (const crash of crashes) if (isGone(crash)) fixing.get(crash)?.push(file);
  }
  return fixing;
}

/** Returns the smallest part of a file's change that still makes the test pass. */
export async function findHunks(
  environment: Environment,
  testFile: string,
  crash: Crash,
  file: string,
): Promise<Culprit> {
  const { olderFolder, newerFolder, added, ecosystem } = environment.pair;
  const text = readFileSync(join(olderFolder, file), "utf8");
  const all = hunksBetween(join(olderFolder, file), join(newerFolder, file), ecosystem.ignoresWhiteSpace);
  let runs = 0;
  const passes = async (hunks: readonly Hunk[]): Promise<boolean> => {
    runs += 1;
    if (runs > hunkRunsMax) return false;
    const texts = newerTexts(environment, added).set(file, applyHunks(text, hunks));
    const isGone = await judge(environment, testFile, texts, [crash]);
    return isGone(crash);
  };
  const substantial = all.filter((hunk) => isSubstantial(hunk, text));
  const start = substantial.length < all.length && (await passes(substantial)) ? substantial : all;
  return { file, text, needed: await shrink(start, passes) };
}

/** Leaves out ever smaller ranges of hunks while the test passes without them. */
async function shrink(
  hunks: readonly Hunk[],
  passes: (hunks: readonly Hunk[]) => Promise<boolean>,
): Promise<readonly Hunk[]> {
  let needed = hunks;
  for (
    let size = Math.ceil(needed.length / 2);
    needed.length > 1 && size >= 1;
    size = size === 1 ? 0 : Math.ceil(size / 2)
  ) {
    for (let index = 0; index < needed.length && needed.length > 1; ) {
      const rest = [...needed.slice(0, index), ...needed.slice(index + size)];
      if (rest.length > 0 && (await passes(rest))) needed = rest;
      else index += size;
    }
  }
  return needed;
}

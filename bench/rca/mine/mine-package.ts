import type { CorpusCase } from "../corpora/corpus-case.ts";
import { isReserved } from "../corpora/reserved.ts";
import { type Crash, crashOf } from "./crash.ts";
import { filesThatFix, findHunks, judgeNewer } from "./culprit.ts";
import type { Ecosystem, Environment, Pair, TestResult } from "./ecosystem.ts";
import { headlineOf } from "./headline.ts";
import { minedCase } from "./mined-case.ts";
import { halvesOf, pairsWithin, type Stretch, stretchesOf } from "./versions.ts";

const casesPerPackageMax = 12;
const casesPerPairMax = 3;
const otherFilesMax = 3;

/** Reports progress. */
export type Progress = (line: string) => void;

/**
 * Mines the crashes of one package that its newer versions fix, at most `casesPerPackageMax`; `save` gets all so far.
 */
export async function minePackage(
  ecosystem: Ecosystem,
  name: string,
  deadline: number,
  say: Progress,
  save: (cases: readonly CorpusCase[]) => void,
): Promise<readonly CorpusCase[]> {
  if (isReserved(name)) throw new Error(`${name} is reserved for measuring: take it off the list`);
  let cases: readonly CorpusCase[] = [];
  for (const stretch of await stretchesOf(ecosystem, name)) {
    if (cases.length >= casesPerPackageMax || Date.now() > deadline) break;
    const { older, newer, group, unpacked } = stretch.ends;
    const repositories = [group, ecosystem.repositoryOf(unpacked.newer)];
    if (repositories.some((repository) => isReserved(name, repository))) break;
    try {
      const found = await mineStretch(stretch, deadline);
      cases = withoutRepeats([...cases, ...found]).slice(0, casesPerPackageMax);
      if (found.length > 0) save(cases);
      say(`${name} ${older} → ${newer}: ${found.length}`);
    } catch (error) {
      say(`${name} ${older} → ${newer}: ${error instanceof Error ? error.message : String(error)}`);
    }
  }
  return cases;
}

/**
 * Finds tests that crash at the start of the stretch and pass at its end, then the release that fixed each. Tests that
 * can't be loaded at the start are run on nearer versions.
 */
async function mineStretch(stretch: Stretch, deadline: number): Promise<CorpusCase[]> {
  const { ecosystem } = stretch.ends;
  const environment = await ecosystem.prepare(stretch.ends, true);
  const tests: string[] = [];
  let tooNew = 0;
  for (const testFile of stretch.ends.tests) {
    const results = await ecosystem.runTests(environment, testFile);
    if (results?.some(({ crash }) => ecosystem.rules.tooNew.test(crash?.text ?? ""))) tooNew += 1;
    if ((await fixedOf(environment, testFile, results)).length > 0) tests.push(testFile);
  }
  const cases: CorpusCase[] = [];
  if (tests.length > 0) {
    for (const pair of await pairsWithin(stretch, tests)) {
      if (Date.now() < deadline) cases.push(...(await minePair(pair)));
    }
  } else if (tooNew > 0) {
    for (const half of await halvesOf(stretch)) {
      if (Date.now() < deadline) cases.push(...(await mineStretch(half, deadline)));
    }
  }
  return cases;
}

/**
 * Keeps the same failure once, whichever version has it: the same place, or the same message from the same function.
 */
export function withoutRepeats(cases: readonly CorpusCase[]): CorpusCase[] {
  const seen = new Set<string>();
  return cases.filter(({ truth, log, sources }) => {
    const words = headlineOf(log).replace(/\d+|(["'`]).*?\1/g, "…");
    const keys = [`${sources[0]?.from} ${truth.file} ${truth.line_start}`, `${truth.file} ${truth.function} ${words}`];
    const isNew = keys.every((key) => !seen.has(key));
    for (const key of keys) seen.add(key);
    return isNew;
  });
}

async function minePair(pair: Pair): Promise<CorpusCase[]> {
  const environment = await pair.ecosystem.prepare(pair);
  let found: CorpusCase[] = [];
  for (const testFile of pair.tests) {
    if (found.length < casesPerPairMax)
      found = withoutRepeats([...found, ...(await mineTestFile(environment, testFile))]);
  }
  return found.slice(0, casesPerPairMax);
}

/** Returns the errors that tests threw on the older version, and no longer throw on the newer one. */
async function fixedOf(
  environment: Environment,
  testFile: string,
  results: readonly TestResult[] | undefined,
): Promise<Crash[]> {
  const crashes = crashesOf(environment, results);
  if (crashes.length === 0) return [];
  return crashes.filter(await judgeNewer(environment, testFile, crashes));
}

async function mineTestFile(environment: Environment, testFile: string): Promise<CorpusCase[]> {
  const { ecosystem } = environment.pair;
  const fixed = await fixedOf(environment, testFile, await ecosystem.runTests(environment, testFile));
  if (fixed.length === 0) return [];
  const only = fixed.map(({ test }) => test);
  const again = crashesOf(environment, await ecosystem.runTests(environment, testFile, only));
  const steady = fixed.filter(({ test, message }) =>
    again.some((crash) => crash.test === test && crash.message === message),
  );
  const cases: CorpusCase[] = [];
  for (const [crash, files] of differing(await filesThatFix(environment, testFile, steady))) {
    const one = await caseOf(environment, testFile, crash, files);
    if (one !== undefined) cases.push(one);
  }
  return cases;
}

function crashesOf(environment: Environment, results: readonly TestResult[] | undefined): Crash[] {
  return (results ?? []).flatMap((result) => crashOf(environment, result) ?? []);
}

/** Keeps one crash of each kind, since many tests fail for the same reason. */
function differing(fixing: ReadonlyMap<Crash, readonly string[]>): [Crash, readonly string[]][] {
  const kinds = new Map<string, [Crash, readonly string[]]>();
  for (const [crash, files] of fixing) {
    const top = crash.frames.find(({ file }) => file !== undefined);
    const kind = `${files.join()} ${top?.file}:${top?.line} ${crash.message.replace(/\d+/g, "0").slice(0, 60)}`;
    if (files.length > 0 && !kinds.has(kind)) kinds.set(kind, [crash, files]);
  }
  return [...kinds.values()].slice(0, casesPerPairMax);
}

/** Creates a case. The culprit is the file nearest to the top of the stack of those that fix the crash alone. */
async function caseOf(
  environment: Environment,
  testFile: string,
  crash: Crash,
  files: readonly string[],
): Promise<CorpusCase | undefined> {
  const depthOf = (file: string): number => {
    const depth = crash.frames.findIndex((frame) => frame.file === `${environment.shown}/${file}`);
    return depth < 0 ? crash.frames.length : depth;
  };
  const ordered = files.toSorted((left, right) => depthOf(left) - depthOf(right)).slice(0, otherFilesMax);
  const culprits = [];
  for (const file of ordered) culprits.push(await findHunks(environment, testFile, crash, file));
  const [culprit, ...others] = culprits;
  return culprit === undefined ? undefined : minedCase(environment, testFile, crash, culprit, others);
}

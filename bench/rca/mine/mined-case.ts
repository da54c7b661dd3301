import { createHash } from "node:crypto";
import { statSync } from "node:fs";
import { type CorpusCase, corpusCase } from "../corpora/corpus-case.ts";
import type { Crash } from "./crash.ts";
import type { Culprit } from "./culprit.ts";
import type { Environment } from "./ecosystem.ts";
import { headlineOf } from "./headline.ts";
import { packageFiles } from "./package-files.ts";
import { placesOf } from "./places.ts";

const filesMax = 20;
const filesWanted = 12;
const distractorsMin = 4;
const fileBytesMax = 200_000;
/** A larger change says too little about where the mistake is. */
const culpritLinesMax = 80;

const sha256 = (text: string): string => createHash("sha256").update(text).digest("hex");

/** Returns a case for one crash; undefined when the change that fixes it, or one of its files, is too large. */
export function minedCase(
  environment: Environment,
  testFile: string,
  crash: Crash,
  culprit: Culprit,
  others: readonly Culprit[],
): CorpusCase | undefined {
  const { name, group, older, newer, ecosystem } = environment.pair;
  const places = placesOf(environment, culprit, crash.frames);
  const [truth, ...also] = [...places, ...others.flatMap((other) => placesOf(environment, other, crash.frames))];
  if (truth === undefined || truth.line_end - truth.line_start >= culpritLinesMax) return undefined;
  const id = `${name.replaceAll("/", "+")}@${older}-${sha256(testFile + crash.test).slice(0, 8)}`;
  const files = filesOf(environment, id, testFile, truth.file, crash);
  // Files that are too large, or built when the tests run, can't be attached.
  if (![truth.file, testFile].every((file) => files.includes(file))) return undefined;
  const category = ecosystem.rules.categories.find(([pattern]) => pattern.test(headlineOf(crash.log)))?.[1];
  return corpusCase.parse({
    id,
    corpus: "mined",
    language: ecosystem.language,
    kind: "package",
    group,
    sources: sourcesOf(environment, truth.file, files),
    fixed: newer,
    test: `${testFile}: ${crash.test}`,
    log: crash.log,
    files,
    truth: { ...truth, ...(category === undefined ? {} : { category }) },
    ...(also.length === 0 ? {} : { also: also.map(({ depth, on_stack, ...place }) => place) }),
  });
}

/**
 * Returns the culprit, the test, the files in the log, then other code of the same packages in an order fixed by a
 * hash.
 */
function filesOf(environment: Environment, id: string, testFile: string, culprit: string, { log }: Crash): string[] {
  const { ecosystem } = environment.pair;
  const chosen: string[] = [];
  const add = (file: string): void => {
    if (chosen.length >= filesMax || chosen.includes(file)) return;
    const stats = statSync(environment.placeOf(file), { throwIfNoEntry: false });
    if (stats?.isFile() && stats.size <= fileBytesMax) chosen.push(file);
  };
  const inLog = ecosystem.filesIn(log);
  for (const file of [culprit, testFile, ...inLog]) add(file);
  const wanted = Math.min(filesMax, Math.max(chosen.length + distractorsMin, filesWanted));
  for (const root of ecosystem.packagesNear(environment, [culprit, ...inLog])) {
    const pool = packageFiles(environment.placeOf(root))
      .filter(ecosystem.isRuntimeCode)
      .map((file) => `${root}/${file}`);
    const ordered = pool.map((file) => [sha256(id + file), file] as const).sort();
    for (const [, file] of ordered) if (chosen.length < wanted) add(file);
  }
  return chosen.sort();
}

/** Returns what has to be unpacked for `files` to be found, the mined package first. */
function sourcesOf(environment: Environment, culprit: string, files: readonly string[]): CorpusCase["sources"] {
  const sources = [culprit, ...files].flatMap((file) => environment.pair.ecosystem.sourceOf(environment, file) ?? []);
  return [...new Map(sources.map((source) => [`${source.folder} ${source.from}`, source])).values()];
}

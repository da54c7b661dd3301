import { layOut, readCaseFile } from "../corpora/case-files.ts";
import type { CorpusCase } from "../corpora/corpus-case.ts";
import { fetchPackages } from "../corpora/package-cache.ts";
import { crashOf, isInstalled } from "./crash.ts";
import { judgeFile } from "./culprit.ts";
import type { Ecosystem } from "./ecosystem.ts";
import { headlineOf } from "./headline.ts";
import { compare } from "./versions.ts";

/** Returns what is wrong with a stored case when it is rerun; undefined when it still holds. */
export async function problemOf(ecosystem: Ecosystem, corpusCase: CorpusCase): Promise<string | undefined> {
  const { test, sources, truth, fixed = "", group, log } = corpusCase;
  const [name, older] = publishedIn(sources[0]?.from);
  const [, tester] = publishedIn(sources.find(({ folder }) => !isInstalled(`${folder}/`))?.from);
  const [testFile = "", ...rest] = test.split(": ");
  if (name === undefined || older === undefined || tester === undefined) return "its versions are not given";
  await layOut([corpusCase]);
  if (readCaseFile(corpusCase, truth.file) === undefined) return "its culprit is not in the package";
  await fetchPackages(ecosystem.archive, [`${name}@${fixed}`, `${name}@${tester}`]);
  const [pair] = compare({ ecosystem, name, group, older, newer: fixed, tester }, [testFile]);
  if (pair === undefined) return "its versions do not differ";
  const environment = await ecosystem.prepare(pair);
  const results = (await ecosystem.runTests(environment, testFile, [rest.join(": ")])) ?? [];
  const crash = results
    .flatMap((result) => crashOf(environment, result) ?? [])
    .find((thrown) => thrown.test === rest.join(": "));
  if (crash === undefined) return "it does not crash";
  if (headlineOf(crash.log) !== headlineOf(log)) return `it says ${crash.message}`;
  const file = truth.file.slice(environment.shown.length + 1);
  const isGone = await judgeFile(environment, testFile, [crash], file);
  return isGone(crash) ? undefined : "the change of its culprit does not fix it";
}

/** Returns the name and the version in `name@version` and in `name@version:path`. */
function publishedIn(from = ""): [name: string | undefined, version: string | undefined] {
  const [, name, version] = /^(.+?)@([^@:]+)(?::.*)?$/.exec(from) ?? [];
  return [name, version];
}

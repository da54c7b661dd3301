import { layOut, readCaseFile } from "../corpora/case-files.ts";
import type { CorpusCase } from "../corpora/corpus-case.ts";
import { fetchPackages } from "../corpora/package-cache.ts";
import { crashOf } from "./crash.ts";
import { judgeFile } from "./culprit.ts";
import { prepare } from "./environment.ts";
import { runTests } from "./test-run.ts";
import { compare } from "./versions.ts";

/** What is wrong with a stored case when it is run again; undefined when it still holds. */
export async function problemOf(corpusCase: CorpusCase): Promise<string | undefined> {
  const { test, sources, truth, fixed = "", group, log } = corpusCase;
  const [own] = sources;
  const [, name, older] = /^(.+)@([^@]+)$/.exec(own?.from ?? "") ?? [];
  const tester = sources.map(({ from }) => /@([^@:]+):/.exec(from)?.[1]).find((version) => version !== undefined);
  const [testFile = "", ...rest] = test.split(": ");
  if (name === undefined || older === undefined || tester === undefined) return "its versions are not given";
  await layOut([corpusCase]);
  if (readCaseFile(corpusCase, truth.file) === undefined) return "its culprit is not in the package";
  await fetchPackages("npm", [`${name}@${fixed}`, `${name}@${tester}`]);
  const [pair] = compare({ name, group, older, newer: fixed, tester }, [testFile]);
  if (pair === undefined) return "its versions do not differ";
  const environment = await prepare(pair);
  const results = (await runTests(environment, testFile)) ?? [];
  const crash = results
    .flatMap((result) => crashOf(environment, result) ?? [])
    .find((thrown) => thrown.test === rest.join(": "));
  if (crash === undefined) return "it does not crash";
  if (crash.log.split("\n")[0] !== log.split("\n")[0]) return `it says ${crash.message}`;
  const isGone = await judgeFile(environment, testFile, truth.file.slice(`node_modules/${name}/`.length));
  return isGone(crash) ? undefined : "the change of its culprit does not fix it";
}

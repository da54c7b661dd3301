import { join, posix } from "node:path";
import { crc32 } from "node:zlib";
import type { CaseTree } from "../case-tree.ts";
import type { RecordedCase } from "../cases.ts";
import { filesOfSource, layOut, readCaseFile } from "../corpora/case-files.ts";
import { type CorpusCase, readCorpus } from "../corpora/corpus-case.ts";
import { otherVersionOf } from "../corpora/other-version.ts";
import { testFile } from "../pasted/culprits.ts";
import { type Half, halves } from "../pasted/pasted-case.ts";
import { pathOf } from "../pasted/tree.ts";

/** One case of so many has the code of another version than the one that failed. */
const casesPerOtherVersion = 4;
const corpus = join(import.meta.dirname, "../corpora/tested");

/** The cases of a half. None of them trains the ranking. */
export async function testedCases(half: Half): Promise<RecordedCase[]> {
  const cases = readCorpus(corpus).filter((one) => halfOf(one.group) === half);
  await layOut(cases);
  return cases.map(recordedCase);
}

/** Development may be looked at while the engine is changed; the held-out half is only scored. */
export function halfOf(group: string): Half {
  return halves[crc32(group) % halves.length] ?? "development";
}

function recordedCase(one: CorpusCase): RecordedCase {
  const { id, group, kind, language, log } = one;
  const other = crc32(id) % casesPerOtherVersion === 0 ? otherVersionOf(one) : undefined;
  const { truth } = other ?? one;
  return {
    ...{ id, corpus: "tested", group, kind, language, onStack: truth.on_stack, errorLog: log, also: [] },
    tree: treeOf(other ?? one),
    isOtherVersion: other !== undefined,
    truth: { ...truth, category: "", keywords: [] },
  };
}

function treeOf(one: CorpusCase): CaseTree {
  const paths = one.sources.flatMap((source) => filesOfSource(one, source));
  const known = new Set(paths);
  const byName = Map.groupBy(paths, (path) => posix.basename(path));
  return {
    paths,
    installedIn: "",
    read: (path) => (known.has(path) ? readCaseFile(one, path) : undefined),
    isProject: (path) => known.has(path) && !testFile.test(path) && !path.startsWith("traffic/"),
    pathOf: (printed) => pathOf(printed, byName),
  };
}

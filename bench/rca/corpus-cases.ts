import { join } from "node:path";
import type { RcaCase } from "./cases.ts";
import { layOut, readCaseFile } from "./corpora/case-files.ts";
import { type CorpusCase, readCorpus } from "./corpora/corpus-case.ts";
import { readCaseFiles } from "./corpora/read-case-files.ts";

const corpora = join(import.meta.dirname, "corpora");

/** The mined crashes, with their packages' files; those that the cache lacks are fetched first. */
export async function minedCases(): Promise<RcaCase[]> {
  const cases = readCorpus(join(corpora, "mined"));
  await layOut(cases);
  return cases.map((one) =>
    caseOf(
      one,
      one.files.flatMap((name) => {
        const content = readCaseFile(one, name);
        return content === undefined ? [] : [{ name, content }];
      }),
    ),
  );
}

/** The mutants; `every` takes each n-th only, the same ones each time. */
export function mutantCases(every: number): RcaCase[] {
  return readCorpus(join(corpora, "mutants"))
    .filter((_, index) => index % every === 0)
    .map((one) => caseOf(one, readCaseFiles(one)));
}

function caseOf(one: CorpusCase, files: RcaCase["files"]): RcaCase {
  const { id, corpus, group, kind, language, log, truth, also = [] } = one;
  return {
    ...{ id, corpus, group, kind, language, files, errorLog: log, onStack: truth.on_stack },
    truth: { ...truth, category: truth.category ?? "", keywords: [] },
    also: also.map((place) => ({ ...place, strict: true })),
  };
}

import { join } from "node:path";
import type { RcaCase } from "./cases.ts";
import { layOut, readCaseFiles } from "./corpora/case-files.ts";
import { type CorpusCase, readCorpus } from "./corpora/corpus-case.ts";

const corpora = join(import.meta.dirname, "corpora");

/** The mined crashes. */
export function minedCases(): Promise<RcaCase[]> {
  return withFiles(readCorpus(join(corpora, "mined")));
}

/** The mutants; `every` takes each n-th only, the same ones each time. */
export function mutantCases(every: number): Promise<RcaCase[]> {
  return withFiles(readCorpus(join(corpora, "mutants")).filter((_, index) => index % every === 0));
}

/** Cases with their files; packages that the cache lacks are fetched first. */
async function withFiles(cases: readonly CorpusCase[]): Promise<RcaCase[]> {
  await layOut(cases);
  return cases.map((one) => caseOf(one, readCaseFiles(one)));
}

function caseOf(one: CorpusCase, files: RcaCase["files"]): RcaCase {
  const { id, corpus, group, kind, language, log, truth, also = [] } = one;
  return {
    ...{ id, corpus, group, kind, language, files, errorLog: log, onStack: truth.on_stack },
    truth: { ...truth, category: truth.category ?? "", keywords: [] },
    also: also.map((place) => ({ ...place, strict: true })),
  };
}

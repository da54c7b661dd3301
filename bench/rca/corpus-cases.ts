import { join } from "node:path";
import type { RcaCase } from "./cases.ts";
import { layOut, readCaseFiles } from "./corpora/case-files.ts";
import { type CorpusCase, readCorpus } from "./corpora/corpus-case.ts";

const corpora = join(import.meta.dirname, "corpora");

/** Returns the mined crashes. */
export function minedCases(): Promise<RcaCase[]> {
  return withFiles(readCorpus(join(corpora, "mined")));
}

/** Returns every n-th mutant, always the same ones. */
export function mutantCases(every: number): Promise<RcaCase[]> {
  return withFiles(readCorpus(join(corpora, "mutants")).filter((_, index) => index % every === 0));
}

/** Returns cases with their files, after fetching packages that the cache lacks. */
export async function withFiles(cases: readonly CorpusCase[]): Promise<RcaCase[]> {
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

import { join } from "node:path";
import { crc32 } from "node:zlib";
import { type CaseTree, isInstalled } from "./case-tree.ts";
import type { RecordedCase } from "./cases.ts";
import { filesOfSource, layOut, parseFrom, readCaseFile } from "./corpora/case-files.ts";
import { type CorpusCase, readCorpus } from "./corpora/corpus-case.ts";
import { otherVersionOf } from "./corpora/other-version.ts";

type Source = CorpusCase["sources"][number];

/**
 * Whose code it is: an application's, in which the package is installed; the package's own, whose users report a trace of
 * their installation; or its own, with a trace from a checkout. The benchmark deals the cases of packages out to these.
 */
const views = ["installed", "reported", "checkout"] as const;

/** One case of so many has the code of another version than the one that failed. */
const casesPerOtherVersion = 4;

const corpora = join(import.meta.dirname, "corpora");

/** The cases of some corpora, as data. */
export function corpusCases(names: readonly ("mined" | "mutants" | "remote")[]): CorpusCase[] {
  return names.flatMap((name) => readCorpus(join(corpora, name)));
}

/** The mined crashes. */
export function minedCases(): Promise<RecordedCase[]> {
  return withTrees(readCorpus(join(corpora, "mined")));
}

/** The mutants; `every` takes each n-th only, the same ones each time. */
export function mutantCases(every: number): Promise<RecordedCase[]> {
  return withTrees(readCorpus(join(corpora, "mutants")).filter((_, index) => index % every === 0));
}

/** The mutants whose mistake is likely to show elsewhere. */
export function remoteCases(): Promise<RecordedCase[]> {
  return withTrees(readCorpus(join(corpora, "remote")));
}

/** Cases with their code; packages that the cache lacks are fetched first. */
export async function withTrees(cases: readonly CorpusCase[]): Promise<RecordedCase[]> {
  await layOut(cases);
  return cases.map(caseOf);
}

function caseOf(one: CorpusCase): RecordedCase {
  const { id, corpus, group, kind, language } = one;
  const dealt = crc32(id);
  const other = dealt % casesPerOtherVersion === 0 ? otherVersionOf(one) : undefined;
  const view =
    kind === "service" ? "installed" : (views[Math.floor(dealt / casesPerOtherVersion) % views.length] ?? "installed");
  const { truth, also = [], log } = other ?? one;
  const project = projectOf(one);
  const installedIn = view === "installed" ? "" : parentOf(one.sources[project]?.folder ?? "");
  const tree = treeOfSources(other ?? one, project, installedIn);
  const nameOf = (file: string): string => withoutFolder(file, installedIn);
  return {
    ...{ id, corpus, group, kind, language, tree, isOtherVersion: other !== undefined, onStack: truth.on_stack },
    errorLog: view === "checkout" ? log.replaceAll(`/app/${installedIn}/`, "/app/") : log,
    truth: { ...truth, file: nameOf(truth.file), category: truth.category ?? "", keywords: [] },
    also: also.map((place) => ({ ...place, file: nameOf(place.file), strict: true })),
  };
}

/** Which of the sources holds the mistake: the deepest, and of wheels in one folder the one that brought the file. */
function projectOf(one: CorpusCase): number {
  const { sources, truth } = one;
  const depths = sources.map((source) => (filesOfSource(one, source).includes(truth.file) ? source.folder.length : -1));
  const deepest = Math.max(...depths);
  if (deepest < 0) throw new Error(`${truth.file} of case ${one.id} is in no source.`);
  return depths.indexOf(deepest);
}

/** The folder that becomes the root of the project in its own repository. */
function parentOf(folder: string): string {
  return /^(?:.*\/)?site-packages(?=\/|$)/.exec(folder)?.[0] ?? folder;
}

function withoutFolder(file: string, folder: string): string {
  return folder !== "" && file.startsWith(`${folder}/`) ? file.slice(folder.length + 1) : file;
}

/** In its own repository, a package has its code and its tests, and neither what it depends on nor who uses it. */
function treeOfSources(one: CorpusCase, project: number, installedIn: string): CaseTree {
  const isTest = ({ folder, from }: Source): boolean => parseFrom(from) !== undefined && !isInstalled(`${folder}/`);
  const own = one.sources.slice(project, project + 1).flatMap((source) => filesOfSource(one, source));
  const beside = one.sources.filter((source) => installedIn === "" || isTest(source));
  // A test of a newer version replaces the one that the package itself brings.
  const files = new Map(
    [...own, ...beside.flatMap((source) => filesOfSource(one, source))].map((file) => [
      withoutFolder(file, installedIn),
      file,
    ]),
  );
  const ofProject = new Set(own.map((file) => withoutFolder(file, installedIn)));
  return {
    paths: [...files.keys()],
    installedIn,
    read: (path) => {
      const file = files.get(path);
      return file === undefined ? undefined : readCaseFile(one, file);
    },
    isProject: (path) => ofProject.has(path),
  };
}

import { gather, importedPaths, isManifest, PathIndex, parseText, type SourceFiles } from "@whence/engine";
import { isInstalled, pathIn } from "./case-tree.ts";
import type { RcaCase, RecordedCase } from "./cases.ts";
import type { CaseFile } from "./corpora/case-files.ts";
import { framesOf } from "./frames.ts";

/**
 * What is given along with an error: nothing, the files on the stack, these and what they import, or the whole tree. Of
 * a tree that is larger than an analysis may attach, an investigation reads what `gather` chooses.
 */
export const codeForms = ["text", "stack", "imports", "tree"] as const;
/** The same, and only the manifests that name the project. No model trains on these. */
export const forms = [...codeForms, "named"] as const;
export type Form = (typeof forms)[number];

/** An analysis can't attach more. */
const filesMax = 20;

/** A case as it is handed in. */
export async function inForm(recorded: RecordedCase, form: Form): Promise<RcaCase> {
  return { ...recorded, form, files: await given[form](recorded) };
}

/** Cases in every form, one form after the other. */
export async function inForms(cases: readonly RecordedCase[], wanted: readonly Form[] = codeForms): Promise<RcaCase[]> {
  const handed: RcaCase[] = [];
  for (const form of wanted) for (const recorded of cases) handed.push(await inForm(recorded, form));
  return handed;
}

const given: Record<Form, (recorded: RecordedCase) => Promise<CaseFile[]>> = {
  text: async () => [],
  named: async (recorded) => read(recorded, rootManifests(recorded)),
  stack: async (recorded) => read(recorded, stackFiles(recorded)),
  imports: async (recorded) => read(recorded, withImports(recorded, stackFiles(recorded))),
  tree: wholeTree,
};

/** Those in the folder in which a person runs a tool: what is below it may be another project's. */
function rootManifests({ tree }: RecordedCase): string[] {
  return tree.paths.filter((path) => !path.includes("/") && isManifest(path));
}

function stackFiles({ errorLog, language, corpus, tree }: RecordedCase): string[] {
  const known = new Set(tree.paths);
  const printed = framesOf({ errorLog, language, corpus }).map(({ file }) => pathIn(tree, file));
  return [...new Set(printed)].filter((path) => known.has(path)).slice(0, filesMax);
}

/** Breadth first: what the innermost frame's file imports comes before what others do. */
function withImports({ tree }: RecordedCase, from: readonly string[]): string[] {
  const index = new PathIndex(tree.paths);
  const found = new Set(from);
  for (const path of found) {
    if (found.size >= filesMax) break;
    for (const imported of importedPaths(path, tree.read(path) ?? "", { paths: index })) found.add(imported);
  }
  return [...found].slice(0, filesMax);
}

async function wholeTree(recorded: RecordedCase): Promise<CaseFile[]> {
  const { tree, errorLog } = recorded;
  if (tree.paths.length <= filesMax) return read(recorded, tree.paths);
  const { files } = await gather({ error: parseText(errorLog), route: undefined }, sourcesOf(recorded));
  return files.map(({ name, content }) => ({ name, content }));
}

/** The tree as sources that were uploaded: without what is installed in it. */
export function sourcesOf({ tree }: Pick<RecordedCase, "tree">): SourceFiles {
  const own = tree.paths.filter((path) => !isInstalled(path));
  return {
    paths: async () => own,
    async read(path) {
      const text = tree.read(path);
      return text === undefined ? { outcome: "absent" } : { outcome: "read", text, version: "on disk" };
    },
    search: async (words) => {
      if (tree.search) return tree.search(words);
      return own.filter((path) => words.some((word) => tree.read(path)?.includes(word)));
    },
  };
}

function read({ tree }: RecordedCase, paths: readonly string[]): CaseFile[] {
  return paths.flatMap((name) => {
    const content = tree.read(name);
    return content === undefined ? [] : [{ name, content }];
  });
}

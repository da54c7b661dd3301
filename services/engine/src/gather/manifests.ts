import { givesNames, manifestPaths } from "../source/languages/javascript-manifests.ts";
import { folderOf, foldersAbove } from "../source/path-index.ts";
import type { OwnFile } from "./chosen-files.ts";
import type { SourceFiles } from "./source-files.ts";

const manifestBytesMax = 100_000;
/** Manifests that are handed on with the code. */
const handedOnMax = 4;

/**
 * Reads the files that say what the names of modules mean: those above the failing files, and those of all packages of
 * the project where reading is fast.
 */
export async function readManifests(
  onStack: readonly OwnFile[],
  paths: readonly string[],
  sources: SourceFiles,
): Promise<ReadonlyMap<string, string>> {
  const above = new Set(onStack.flatMap(({ path }) => foldersAbove(path)));
  const isWanted = (path: string): boolean => sources.search !== undefined || above.has(folderOf(path));
  const texts = new Map<string, string>();
  for (const path of manifestPaths(paths).filter(isWanted)) {
    const file = await sources.read(path, manifestBytesMax);
    if (file.outcome === "read" && givesNames(file.text)) texts.set(path, file.text);
  }
  return texts;
}

/** Returns the manifests of the packages that chosen files belong to. */
export function manifestsOf(chosen: readonly OwnFile[], manifests: Iterable<string>): string[] {
  const folders = new Set(chosen.flatMap(({ path }) => foldersAbove(path)));
  return [...manifests].filter((path) => folders.has(folderOf(path))).slice(0, handedOnMax);
}

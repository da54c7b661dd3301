import type { SourceFiles } from "@whence/engine";

/** With more files, a search would take longer than a report may. */
const searchedFilesMax = 300;
const searchedFileBytesMax = 100_000;

/**
 * Returns the paths of files that contain one of the words, by reading them one after the other; empty when there are
 * too many.
 */
export async function searchFiles(sources: SourceFiles, words: readonly string[]): Promise<readonly string[]> {
  const paths = await sources.paths();
  const found: string[] = [];
  if (paths.length > searchedFilesMax) return found;
  for (const path of paths) {
    const file = await sources.read(path, searchedFileBytesMax);
    if (file.outcome === "read" && words.some((word) => file.text.includes(word))) found.push(path);
  }
  return found;
}

import type { SourceFileEntry } from "@whence/protocol";
import type { SourceRepository } from "@whence/storage";

/** More files than an investigation has room for. */
const foundMax = 20;
/** A word of more files, and of a larger share of them, leads nowhere. */
const commonFilesMax = 20;
const commonShareMax = 0.02;
const name = /[A-Za-z_$][\w$]{2,60}/g;

/**
 * Returns the paths of the files that contain one of some words, by the words kept with each text: first those with the
 * rarest, and those that define it. A word that isn't a name, such as a route, is searched for in the text of files that
 * have all the names in it.
 */
export async function searchWords(
  files: readonly SourceFileEntry[],
  words: readonly string[],
  sources: Pick<SourceRepository, "naming" | "content">,
): Promise<readonly string[]> {
  const namesOf = new Map(words.map((word) => [word, word.match(name) ?? []]));
  const names = [...new Set([...namesOf.values()].flat())];
  if (names.length === 0) return [];
  const named = await sources.naming(
    files.map(({ sha256 }) => sha256),
    names,
  );
  const scores = new Map<SourceFileEntry, number>();
  for (const [word, parts] of namesOf) {
    const having = files.filter(({ sha256 }) => parts.length > 0 && hasAll(named.get(sha256)?.contains, parts));
    if (having.length > Math.max(commonFilesMax, files.length * commonShareMax)) continue;
    const rarity = 1 + Math.log(files.length / Math.max(1, having.length));
    for (const file of having) {
      if (parts[0] !== word && !(await sources.content(file.sha256))?.includes(word)) continue;
      const isDefined = named.get(file.sha256)?.defines.includes(word) ?? false;
      scores.set(file, (scores.get(file) ?? 0) + rarity * (isDefined ? 2 : 1));
    }
  }
  const ranked = [...scores].toSorted(([, left], [, right]) => right - left);
  return ranked.slice(0, foundMax).map(([{ path }]) => path);
}

function hasAll(contained: readonly string[] | undefined, parts: readonly string[]): boolean {
  return contained !== undefined && parts.every((part) => contained.includes(part));
}

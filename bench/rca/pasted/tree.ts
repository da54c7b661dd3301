import type { CaseTree } from "../case-tree.ts";
import type { Clone } from "./clone.ts";
import { testFile } from "./culprits.ts";
import { isCodeOf } from "./printed-frames.ts";

/** The code of a repository at a revision. */
export function treeAt(clone: Clone, revision: string, language: string): CaseTree {
  const paths = clone.paths(revision);
  const texts = new Map<string, string | undefined>();
  const known = new Set(paths);
  const byName = Map.groupBy(paths, (path) => path.slice(path.lastIndexOf("/") + 1));
  return {
    paths,
    installedIn: "",
    read(path) {
      if (!known.has(path)) return undefined;
      if (!texts.has(path)) texts.set(path, clone.read(revision, path));
      return texts.get(path);
    },
    search: (words) => clone.search(revision, words),
    isProject: (path) => known.has(path) && isCodeOf(language, path) && !testFile.test(path),
    pathOf: (printed) => pathOf(printed, byName),
  };
}

/**
 * The file that a printed path means: the one whose path has the longest end in common with it,
 * and of several the one whose whole path is that end. A name alone, without
 * its folder, means nothing unless nothing else was printed.
 */
export function pathOf(printed: string, byName: ReadonlyMap<string, readonly string[]>): string | undefined {
  const parts = printed.replaceAll("\\", "/").split("/").filter(Boolean);
  const common = (path: string): number => {
    const own = path.split("/").toReversed();
    const other = parts.toReversed();
    const end = own.findIndex((part, index) => part !== other[index]);
    return end < 0 ? own.length : end;
  };
  const scored = (byName.get(parts.at(-1) ?? "") ?? []).map((path) => ({ path, parts: common(path) }));
  const longest = Math.max(0, ...scored.map((one) => one.parts));
  const ended = scored.filter((one) => one.parts === longest);
  const whole = ended.filter(({ path }) => path.split("/").length === longest);
  const [only, ...others] = whole.length > 0 ? whole : ended;
  const isEnough = longest >= Math.min(2, parts.length);
  return only !== undefined && others.length === 0 && isEnough ? only.path : undefined;
}

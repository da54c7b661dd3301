import type { CaseFile } from "./corpora/case-files.ts";
import { plainName } from "./plain-name.ts";

/** The code that a case was made of: all that any form of it can give. */
export interface CaseTree {
  /** Relative to the root of the project or, where it is installed in an application, to the application's. */
  readonly paths: readonly string[];
  /** The folder of the project's files in the log, if the paths don't have it; else empty. */
  readonly installedIn: string;
  read(path: string): string | undefined;
  /** Whether the project's maintainers can change a file: for a package, not the application or the test that uses it. */
  isProject(path: string): boolean;
  /** The file that a printed path means, where paths are printed from other machines; absent where they are of the tree. */
  pathOf?(printed: string): string | undefined;
  /** The files that contain one of some words, where that is found sooner than by reading all. */
  search?(words: readonly string[]): readonly string[];
}

/** A tree of files that are known whole, all of the project but what is installed in it. */
export function treeOf(
  files: readonly CaseFile[],
  isProject: (path: string) => boolean = (path) => !isInstalled(path),
): CaseTree {
  const contents = new Map(files.map(({ name, content }) => [name, content]));
  return { paths: [...contents.keys()], installedIn: "", read: (path) => contents.get(path), isProject };
}

/** Whether a path leads into an installed package. */
export function isInstalled(path: string): boolean {
  return /(?:^|\/)(?:node_modules|site-packages)\//.test(path);
}

/** The path in the tree that a log or an answer means; its own plain name where the tree has none. */
export function pathIn(tree: CaseTree, printed: string): string {
  if (tree.pathOf) return tree.pathOf(printed) ?? printed;
  const plain = plainName(printed);
  const isBelow = tree.installedIn !== "" && plain.startsWith(`${tree.installedIn}/`);
  const path = isBelow ? plain.slice(tree.installedIn.length + 1) : plain;
  if (isBelow || isInstalled(path) || tree.paths.includes(path)) return path;
  // The JVM prints base names only.
  const [only, ...others] = tree.paths.filter((one) => one.endsWith(`/${path}`));
  return others.length === 0 && only !== undefined ? only : path;
}

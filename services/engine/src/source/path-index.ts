/** A path of the source, and the folders that a stack prints in front of it: `/srv/orders/`, or nothing. */
export interface FoundPath {
  readonly path: string;
  readonly root: string;
}

/** The paths of some files of code, found by what a stack or an import calls them. */
export class PathIndex {
  readonly #paths: ReadonlySet<string>;
  readonly #byName: ReadonlyMap<string, readonly string[]>;
  readonly #byFolder: ReadonlyMap<string, readonly string[]>;
  #packages: ReadonlyMap<string, readonly string[]> | undefined;

  constructor(paths: readonly string[]) {
    this.#paths = new Set(paths);
    this.#byName = Map.groupBy(paths, (path) => path.slice(path.lastIndexOf("/") + 1));
    this.#byFolder = Map.groupBy(paths, folderOf);
  }

  has(path: string): boolean {
    return this.#paths.has(path);
  }

  inFolder(folder: string): readonly string[] {
    return this.#byFolder.get(folder) ?? [];
  }

  /** The folders whose path ends with these folders. */
  foldersEndingWith(end: string): string[] {
    return [...this.#byFolder.keys()].filter((folder) => `/${folder}`.endsWith(`/${end}`));
  }

  /** The paths that end with this one. */
  allEndingWith(end: string): string[] {
    const named = this.#byName.get(end.slice(end.lastIndexOf("/") + 1)) ?? [];
    return named.filter((path) => `/${path}`.endsWith(`/${end}`));
  }

  /** The one path that ends with this one; null when there are several. */
  endingWith(end: string): string | null {
    const [only, ...others] = this.allEndingWith(end);
    return others.length === 0 ? (only ?? null) : null;
  }

  /** The first of some paths that is among these. */
  firstOf(paths: readonly string[]): string | null {
    return paths.find((path) => this.has(path)) ?? null;
  }

  /** The folders of an installed package of Node, in the order of the paths. */
  packageRoots(name: string): readonly string[] {
    this.#packages ??= rootsByPackage(this.#paths);
    return this.#packages.get(name) ?? [];
  }

  /** The paths in a folder and in those below it. */
  below(folder: string): string[] {
    return [...this.#paths].filter((path) => path.startsWith(`${folder}/`));
  }

  /**
   * The path that shares the most folders with a printed one, counted from the end. Null when two share as many, or
   * when it shares nothing but its name and neither is the end of the other.
   */
  find(printed: string): FoundPath | null {
    const wanted = segments(printed);
    const ranked = (this.#byName.get(wanted.at(-1) ?? "") ?? [])
      .map((path) => ({ path, ...sharedEnd(wanted, segments(path)) }))
      .toSorted((left, right) => Number(right.isWhole) - Number(left.isWhole) || right.shared - left.shared);
    const [best, next] = ranked;
    if (!best || (!best.isWhole && best.shared < 2)) return null;
    if (next && next.isWhole === best.isWhole && next.shared === best.shared) return null;
    return { path: best.path, root: printed.endsWith(best.path) ? printed.slice(0, -best.path.length) : "" };
  }
}

/** The folder of a path; empty at the root. */
export function folderOf(path: string): string {
  return path.slice(0, Math.max(0, path.lastIndexOf("/")));
}

/** The folder of a path and those around it, the nearest first; the root comes last. */
export function foldersAbove(path: string): string[] {
  const folders = [folderOf(path)];
  for (let folder = folderOf(path); folder !== ""; folder = folderOf(folder)) folders.push(folderOf(folder));
  return folders;
}

/** A path relative to a folder. What would lead out of the root stays at the root. */
export function pathIn(folder: string, relative: string): string {
  const parts = folder === "" ? [] : folder.split("/");
  for (const part of relative.split("/")) {
    if (part === "..") parts.pop();
    else if (part !== "." && part !== "") parts.push(part);
  }
  return parts.join("/");
}

const packageFolder = /(?:^|\/)node_modules\/((?:@[^/]+\/)?[^/]+)(?=\/)/g;

function rootsByPackage(paths: Iterable<string>): Map<string, string[]> {
  const found = new Map<string, Set<string>>();
  for (const path of paths) {
    for (const { 0: whole, 1: name = "", index } of path.matchAll(packageFolder)) {
      const roots = found.get(name) ?? new Set();
      found.set(name, roots.add(path.slice(0, index + whole.length)));
    }
  }
  return new Map([...found].map(([name, roots]) => [name, [...roots]]));
}

function segments(path: string): string[] {
  return path.split("/").filter((segment) => segment !== "" && segment !== ".");
}

/** How many segments two paths share from the end, and whether one of them is wholly the end of the other. */
function sharedEnd(left: readonly string[], right: readonly string[]): { shared: number; isWhole: boolean } {
  const shortest = Math.min(left.length, right.length);
  let shared = 0;
  while (shared < shortest && left.at(-1 - shared) === right.at(-1 - shared)) shared++;
  return { shared, isWhole: shared === shortest };
}

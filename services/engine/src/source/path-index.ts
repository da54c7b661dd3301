/** A source path, and the folders that a stack prints in front of it: `/srv/orders/`, or nothing. */
export interface FoundPath {
  readonly path: string;
  readonly root: string;
}

/** An index of source paths, which finds a path by its name on a stack or in an import. */
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

  /** Returns the paths of the files with this name. */
  named(name: string): readonly string[] {
    return this.#byName.get(name) ?? [];
  }

  inFolder(folder: string): readonly string[] {
    return this.#byFolder.get(folder) ?? [];
  }

  /** Returns the folders whose path ends with these folders. */
  foldersEndingWith(end: string): string[] {
    return [...this.#byFolder.keys()].filter((folder) => `/${folder}`.endsWith(`/${end}`));
  }

  /** Returns the paths that end with this one. */
  allEndingWith(end: string): string[] {
    const named = this.#byName.get(end.slice(end.lastIndexOf("/") + 1)) ?? [];
    return named.filter((path) => `/${path}`.endsWith(`/${end}`));
  }

  /** Returns the only path that ends with this one; null when there are several. */
  endingWith(end: string): string | null {
    const [only, ...others] = this.allEndingWith(end);
    return others.length === 0 ? (only ?? null) : null;
  }

  /** Returns the first of some paths that is in the index. */
  firstOf(paths: readonly string[]): string | null {
    return paths.find((path) => this.has(path)) ?? null;
  }

  /** Returns the folders of an installed Node.js package, in the order of the paths. */
  packageRoots(name: string): readonly string[] {
    this.#packages ??= rootsByPackage(this.#paths);
    return this.#packages.get(name) ?? [];
  }

  /** Returns the paths in a folder and below it. */
  below(folder: string): string[] {
    return [...this.#paths].filter((path) => path.startsWith(`${folder}/`));
  }

  /**
   * Returns the printed path if there is a file there, or else the path that shares the most trailing folders with it. Null
   * when two share equally many, or when only the name is shared and neither is the end of the other.
   */
  find(printed: string): FoundPath | null {
    if (this.has(printed)) return { path: printed, root: "" };
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

/** Returns the folder of a path; empty at the root. */
export function folderOf(path: string): string {
  return path.slice(0, Math.max(0, path.lastIndexOf("/")));
}

/** Returns the folder of a path and its ancestors, the nearest first and the root last. */
export function foldersAbove(path: string): string[] {
  const folders = [folderOf(path)];
  for (let folder = folderOf(path); folder !== ""; folder = folderOf(folder)) folders.push(folderOf(folder));
  return folders;
}

/** Resolves a path relative to a folder. A path that would leave the root stays at the root. */
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

/** Counts the segments that two paths share from the end, and tells whether one is wholly the end of the other. */
function sharedEnd(left: readonly string[], right: readonly string[]): { shared: number; isWhole: boolean } {
  const shortest = Math.min(left.length, right.length);
  let shared = 0;
  while (shared < shortest && left.at(-1 - shared) === right.at(-1 - shared)) shared++;
  return { shared, isWhole: shared === shortest };
}

/** A path of the source, and the folders that a stack prints in front of it: `/srv/orders/`, or nothing. */
export interface FoundPath {
  readonly path: string;
  readonly root: string;
}

/** The paths of a service's own code, found by what a stack or an import calls them. */
export class PathIndex {
  readonly #paths: ReadonlySet<string>;
  readonly #byName: ReadonlyMap<string, readonly string[]>;
  readonly #byFolder: ReadonlyMap<string, readonly string[]>;

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

  /** The one path that ends with this one; null when there are several. */
  endingWith(end: string): string | null {
    const named = this.#byName.get(end.slice(end.lastIndexOf("/") + 1)) ?? [];
    const [only, ...others] = named.filter((path) => `/${path}`.endsWith(`/${end}`));
    return others.length === 0 ? (only ?? null) : null;
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

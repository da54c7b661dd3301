import type { Dirent } from "node:fs";
import { readdir, realpath } from "node:fs/promises";
import { basename, isAbsolute, join, posix, relative, sep } from "node:path";
import { clientLimits } from "../client-limits.ts";
import { isCode } from "./paths-in-text.ts";

/** Where package managers put other people's code. */
const packageFolders = new Set(["node_modules", "site-packages", "vendor"]);
/** What is made from one's own. */
const madeFolders = new Set(["dist", "build", "target", "__pycache__"]);

/**
 * The code below a folder, by what a stack may call it. A name has slashes, and stands for a file that is really there:
 * no `..`, no link that leads out or to what is no code, nothing hidden.
 */
export class SourceTree {
  readonly #base: string;
  #byBasename: Map<string, string[]> | undefined;

  /** `base` has no links in it. */
  constructor(base: string) {
    this.#base = base;
  }

  /** The name of the program's own file that is meant; null when there is none or it is not clear. */
  async find(path: string): Promise<string | null> {
    const wanted = this.#segments(path);
    if (!isOwnCode(wanted)) return null;
    const there = await this.first(wanted.map((_, index) => wanted.slice(index).join("/")));
    if (there !== null) return there;
    const alike = (await this.#names()).get(wanted.at(-1) ?? "") ?? [];
    const best = longestSharedEnd(alike, wanted);
    return best === null ? null : this.first([best]);
  }

  /** The name of the file of an installed package that is meant; null when it is not below the folder. */
  async findPackaged(path: string): Promise<string | null> {
    const wanted = this.#segments(path);
    // A container has the same packages somewhere else: what stands before their folder may differ.
    const names = wanted.map((_, index) => wanted.slice(index)).filter(isPackaged);
    for (const name of names) if (await this.#isThere(name.join("/"), isPackaged)) return name.join("/");
    return null;
  }

  /** The first of these names that is the program's own. */
  async first(names: readonly string[]): Promise<string | null> {
    for (const name of names) if (await this.#isThere(name, isOwnCode)) return name;
    return null;
  }

  /** The other files of a Go package, which need no import. */
  async samePackage(name: string): Promise<string[]> {
    const folder = posix.dirname(name);
    const names = (await entriesOf(join(this.#base, folder))).map((entry) => posix.join(folder, entry.name));
    return names.filter((one) => one !== name && one.endsWith(".go") && !one.endsWith("_test.go")).sort();
  }

  #segments(path: string): string[] {
    return segmentsOf(isAbsolute(path) && path.startsWith(this.#base + sep) ? relative(this.#base, path) : path);
  }

  async #isThere(name: string, isAllowed: (segments: readonly string[]) => boolean): Promise<boolean> {
    const real = await realpath(join(this.#base, name)).catch(() => null);
    if (real?.startsWith(this.#base + sep) !== true || !isCode(real)) return false;
    return isAllowed(segmentsOf(name)) && isAllowed(segmentsOf(relative(this.#base, real)));
  }

  async #names(): Promise<Map<string, string[]>> {
    this.#byBasename ??= await walk(this.#base);
    return this.#byBasename;
  }
}

function segmentsOf(path: string): string[] {
  return path.split(/[/\\]/).filter((segment) => segment !== "" && segment !== ".");
}

function isOwnCode(segments: readonly string[]): boolean {
  return segments.every((segment) => !isHidden(segment) && !packageFolders.has(segment) && !madeFolders.has(segment));
}

/** In a package the built files are those that run. pnpm keeps packages in `node_modules/.pnpm`. */
function isPackaged(segments: readonly string[]): boolean {
  const isShown = segments.every((segment) => !isHidden(segment) || segment === ".pnpm");
  return isShown && segments.some((segment) => packageFolders.has(segment));
}

function isHidden(segment: string): boolean {
  return segment.startsWith(".");
}

/** Of several files of one name that whose path ends most like the wanted one; null when two do, or none does well. */
function longestSharedEnd(names: readonly string[], wanted: readonly string[]): string | null {
  const shared = (name: string): number => {
    const segments = name.split("/");
    let count = 0;
    while (count < segments.length && segments.at(-1 - count) === wanted.at(-1 - count)) count += 1;
    return count;
  };
  const ranked = names.map((name) => ({ name, count: shared(name) })).sort((a, b) => b.count - a.count);
  const [first, second] = ranked;
  // An `index.js` of elsewhere is not ours for its name alone.
  const isGood = first !== undefined && first.count >= Math.min(2, wanted.length);
  return isGood && first.count !== second?.count ? first.name : null;
}

/** Breadth first, so that what is left out of a large tree is what lies deepest. */
async function walk(base: string): Promise<Map<string, string[]>> {
  const byBasename = new Map<string, string[]>();
  const folders = [""];
  let seen = 0;
  for (let folder = folders.shift(); folder !== undefined; folder = folders.shift()) {
    for (const entry of await entriesOf(join(base, folder))) {
      seen += 1;
      if (seen > clientLimits.walkedEntriesMax) return byBasename;
      const name = folder === "" ? entry.name : `${folder}/${entry.name}`;
      if (!isOwnCode([entry.name])) continue;
      if (entry.isDirectory()) folders.push(name);
      else if (entry.isFile()) byBasename.set(basename(name), [...(byBasename.get(basename(name)) ?? []), name]);
    }
  }
  return byBasename;
}

/** A folder that may not be read has nothing for us. */
async function entriesOf(folder: string): Promise<Dirent[]> {
  return readdir(folder, { withFileTypes: true }).catch(() => []);
}

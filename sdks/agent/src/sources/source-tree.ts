import type { Dirent } from "node:fs";
import { readdir, realpath } from "node:fs/promises";
import { basename, isAbsolute, join, posix, relative, sep } from "node:path";
import { clientLimits } from "../client-limits.ts";
import { isCode } from "./paths-in-text.ts";

/** Folders in which package managers put third-party code. */
const packageFolders = new Set(["node_modules", "site-packages", "vendor"]);
/** Whence's own client, which wraps calls of the program and so is on its stacks. */
const ownClient = /(?:^|\/)(?:node_modules\/@whence\/node|site-packages\/whence)\//;
/** Folders of build output. */
const madeFolders = new Set(["dist", "build", "target", "__pycache__"]);
/** Files that name a project's package. Those that may hold passwords, such as `gradle.properties`, aren't among them. */
const manifest =
  /^(?:pyproject\.toml|setup\.(?:cfg|py)|package\.json|composer\.json|go\.mod|pom\.xml|build\.gradle(?:\.kts)?|Cargo\.toml|[\w-]+\.gemspec)$/;

/**
 * The code below a folder, found by the names that a stack may use. Names have slashes, and stand for existing files:
 * no `..`, no link that leads out or to anything but code, nothing hidden.
 */
export class SourceTree {
  readonly #base: string;
  #byBasename: Map<string, string[]> | undefined;

  /** `base` must be a path without links. */
  constructor(base: string) {
    this.#base = base;
  }

  /** Returns the name of the program's own file that a path means; null when there is none, or several match. */
  async find(path: string): Promise<string | null> {
    const wanted = this.#segments(path);
    if (!isOwnCode(wanted)) return null;
    const there = await this.first(wanted.map((_, index) => wanted.slice(index).join("/")));
    if (there !== null) return there;
    const alike = (await this.#names()).get(wanted.at(-1) ?? "") ?? [];
    const best = longestSharedEnd(alike, wanted);
    return best === null ? null : this.first([best]);
  }

  /** Returns the name of the installed package's file that a path means; null when it isn't below the folder. */
  async findPackaged(path: string): Promise<string | null> {
    const wanted = this.#segments(path);
    if (ownClient.test(wanted.join("/"))) return null;
    // A container has the same packages elsewhere, so the path before their folder may differ.
    const names = wanted.map((_, index) => wanted.slice(index)).filter(isPackaged);
    for (const name of names) if (await this.#isThere(name.join("/"), isPackaged)) return name.join("/");
    return null;
  }

  /** Returns the first of these names that is one of the program's own files. */
  async first(names: readonly string[]): Promise<string | null> {
    for (const name of names) if (await this.#isThere(name, isOwnCode)) return name;
    return null;
  }

  /** Returns the name of a file that a program loaded, built or not; null when it isn't its own code below the folder. */
  async findLoaded(path: string): Promise<string | null> {
    return (await this.#isThere(path, isLoadedCode)) ? path : null;
  }

  /** Returns the name of the source map beside a file that a path means, built or not; null without one. */
  async findMap(path: string): Promise<string | null> {
    const wanted = this.#segments(path);
    for (const index of wanted.keys()) {
      const name = `${wanted.slice(index).join("/")}.map`;
      if (await this.#isThere(name, isLoadedCode, isMap)) return name;
    }
    return null;
  }

  /** Returns the other files of a Go package, which are used without an import. */
  async samePackage(name: string): Promise<string[]> {
    const folder = posix.dirname(name);
    const names = (await entriesOf(join(this.#base, folder))).map((entry) => posix.join(folder, entry.name));
    return names.filter((one) => one !== name && one.endsWith(".go") && !one.endsWith("_test.go")).sort();
  }

  /** Returns the files in the folder itself that name the project's package, no links. */
  async manifests(): Promise<string[]> {
    const files = (await entriesOf(this.#base)).filter((entry) => entry.isFile());
    return files
      .map(({ name }) => name)
      .filter((name) => manifest.test(name))
      .sort();
  }

  #segments(path: string): string[] {
    return segmentsOf(isAbsolute(path) && path.startsWith(this.#base + sep) ? relative(this.#base, path) : path);
  }

  async #isThere(
    name: string,
    isAllowed: (segments: readonly string[]) => boolean,
    isKind: (path: string) => boolean = isCode,
  ): Promise<boolean> {
    const real = await realpath(join(this.#base, name)).catch(() => null);
    if (real?.startsWith(this.#base + sep) !== true || !isKind(real)) return false;
    return isAllowed(segmentsOf(name)) && isAllowed(segmentsOf(relative(this.#base, real)));
  }

  async #names(): Promise<Map<string, string[]>> {
    this.#byBasename ??= await walk(this.#base);
    return this.#byBasename;
  }
}

/** Whether a file is the source map of code, judging by its name. */
function isMap(path: string): boolean {
  return path.endsWith(".map") && isCode(path.slice(0, -".map".length));
}

function segmentsOf(path: string): string[] {
  return path.split(/[/\\]/).filter((segment) => segment !== "" && segment !== ".");
}

function isOwnCode(segments: readonly string[]): boolean {
  return isLoadedCode(segments) && segments.every((segment) => !madeFolders.has(segment));
}

/** Whether a path may be of the program's own code; what is built is its code only where that is what runs. */
function isLoadedCode(segments: readonly string[]): boolean {
  return segments.every((segment) => !isHidden(segment) && !packageFolders.has(segment));
}

/**
 * Whether a path is in a package, where built files are the ones that run. pnpm keeps packages in `node_modules/.pnpm`.
 */
function isPackaged(segments: readonly string[]): boolean {
  const isShown = segments.every((segment) => !isHidden(segment) || segment === ".pnpm");
  return isShown && segments.some((segment) => packageFolders.has(segment));
}

function isHidden(segment: string): boolean {
  return segment.startsWith(".");
}

/**
 * Returns the file of this name whose path shares the longest end with the wanted one; null on a tie, or when none
 * shares enough.
 */
function longestSharedEnd(names: readonly string[], wanted: readonly string[]): string | null {
  const shared = (name: string): number => {
    const segments = name.split("/");
    let count = 0;
    while (count < segments.length && segments.at(-1 - count) === wanted.at(-1 - count)) count += 1;
    return count;
  };
  const ranked = names.map((name) => ({ name, count: shared(name) })).sort((a, b) => b.count - a.count);
  const [first, second] = ranked;
  // An `index.js` elsewhere isn't the same file just because of its name.
  const isGood = first !== undefined && first.count >= Math.min(2, wanted.length);
  return isGood && first.count !== second?.count ? first.name : null;
}

/** Breadth first, so that the deepest files of a large tree are the ones left out. */
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

/** Returns nothing for a folder without read permission. */
async function entriesOf(folder: string): Promise<Dirent[]> {
  return readdir(folder, { withFileTypes: true }).catch(() => []);
}

import type { Dirent } from "node:fs";
import { readdir, realpath } from "node:fs/promises";
import { basename, isAbsolute, join, relative, sep } from "node:path";
import type { FileContent } from "@whence/protocol";
import { clientLimits } from "../client-limits.ts";
import { pathsInText } from "./paths-in-text.ts";
import { readSourceFile } from "./read-source-file.ts";

/** What may still be sent. */
export interface FileBudget {
  readonly files: number;
  /** Of their contents, in UTF-8. */
  readonly bytes: number;
}

/** Other people's code, and what is made from one's own. */
const skippedFolders = new Set(["node_modules", "site-packages", "vendor", "dist", "build", "target", "__pycache__"]);

/**
 * The source files that an error text names and that are below `root`, those mentioned first first, as far as the
 * budget goes. Nothing outside of `root` is read, whatever the text says: no `..`, no absolute path elsewhere, no link
 * that leads out. Hidden files and folders of dependencies are left alone.
 */
export async function autoFiles(text: string, root: string, budget: FileBudget): Promise<FileContent[]> {
  const base = await realpath(root);
  const tree = new SourceTree(base);
  const found = new Map<string, FileContent>();
  let bytes = 0;
  for (const path of pathsInText(text)) {
    if (found.size >= budget.files) break;
    const name = await tree.find(path);
    if (name === null || found.has(name)) continue;
    const content = await readSourceFile(join(base, name));
    if (content.outcome !== "read" || bytes + content.bytes > budget.bytes) continue;
    bytes += content.bytes;
    found.set(name, { name, content: content.text });
  }
  return [...found.values()];
}

/** The files below a folder, by what a stack may call them. */
class SourceTree {
  readonly #base: string;
  #byBasename: Map<string, string[]> | undefined;

  constructor(base: string) {
    this.#base = base;
  }

  /** The path below the folder, with slashes, of the file that is meant; null when there is none or it is not clear. */
  async find(path: string): Promise<string | null> {
    for (const name of this.#possibleNames(path)) {
      if (await this.#isInside(name)) return name;
    }
    const wanted = segmentsOf(path);
    const [file] = wanted.slice(-1);
    if (file === undefined || !isOwnCode(wanted)) return null;
    const alike = (await this.#names()).get(file) ?? [];
    const best = longestSharedEnd(alike, wanted);
    return best !== null && (await this.#isInside(best)) ? best : null;
  }

  /** As it stands below the folder, then without its first folders: a container has the same files somewhere else. */
  #possibleNames(path: string): string[] {
    const inside = isAbsolute(path) && path.startsWith(this.#base + sep) ? relative(this.#base, path) : path;
    const segments = segmentsOf(inside);
    if (!isOwnCode(segments)) return [];
    return segments.map((_, index) => segments.slice(index).join("/"));
  }

  async #isInside(name: string): Promise<boolean> {
    const real = await realpath(join(this.#base, name)).catch(() => null);
    return real?.startsWith(this.#base + sep) === true && isOwnCode(segmentsOf(relative(this.#base, real)));
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
  return segments.every((segment) => !segment.startsWith(".") && !skippedFolders.has(segment));
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

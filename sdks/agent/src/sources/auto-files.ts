import { realpath } from "node:fs/promises";
import { join } from "node:path";
import { type FileContent, isTestFile } from "@whence/protocol";
import { clientLimits } from "../client-limits.ts";
import { importsOf } from "./imports.ts";
import { mappedFiles } from "./mapped-files.ts";
import { pathsInText } from "./paths-in-text.ts";
import { readSentFile, type SentFile } from "./read-sent-file.ts";
import { readSourceFile } from "./read-source-file.ts";
import { sentMap } from "./sent-map.ts";
import { readSourceMap } from "./source-map.ts";
import { SourceTree } from "./source-tree.ts";

/** The room left in a request. */
export interface FileBudget {
  readonly files: number;
  /** For file contents, in UTF-8 bytes. */
  readonly bytes: number;
}

/** Why a file that was found isn't sent. */
export type LeftOut = "too large" | "no text" | "no room";

export interface AutoFiles {
  /** In the order in which they were found. */
  readonly files: readonly FileContent[];
  readonly leftOut: ReadonlyMap<string, LeftOut>;
  /** The files in which a credential was masked, with its kind. */
  readonly masked: ReadonlyMap<string, string>;
}

/**
 * Finds the source files that explain an error text, the nearest to the failure first, within the budget: the program's
 * own files named in the text, or those that a named built file was made from, with its source map, then their imports,
 * breadth first, then those that the program is known to have `loaded`, then files of installed packages named in the
 * text, for which some room is reserved, and the manifests in `root`, by which the service tells the program's calls
 * from those of other packages. Test files fill at most half of the room before all of these. Never reads outside of
 * `root`, whatever the text or the code say: no `..`, no absolute path elsewhere, no link that leads out, no hidden
 * file, and nothing but code, its maps, and these manifests. A map has the code of only those sources that are such
 * files of the program.
 */
export async function autoFiles(
  text: string,
  root: string,
  budget: FileBudget,
  loaded: readonly string[] = [],
): Promise<AutoFiles> {
  const base = await realpath(root);
  const tree = new SourceTree(base);
  const own = new Set<string>();
  const packaged = new Set<string>();
  const maps = new Map<string, SentFile>();
  for (const path of pathsInText(text)) {
    const mapped = await mappedBy(tree, base, text, path);
    if (mapped !== null) {
      for (const original of mapped.originals) own.add(original);
      maps.set(mapped.name, mapped.map);
      continue;
    }
    const name = await tree.find(path);
    const inPackage = name === null ? await tree.findPackaged(path) : null;
    if (name !== null) own.add(name);
    if (inPackage !== null) packaged.add(inPackage);
  }
  const chosen = new ChosenFiles(base, budget);
  // A run of tests names every file of them, and the code that they test is to be sent, too.
  const half: FileBudget = { files: Math.ceil(budget.files / 2), bytes: Math.ceil(budget.bytes / 2) };
  for (const name of own) await chosen.add(name, isTestFile(name) ? half : none);
  // By its map, the service finds the lines of a built file in its originals.
  for (const [name, map] of maps) chosen.addRead(name, map);
  const kept: FileBudget = { files: Math.min(packaged.size, clientLimits.packagedFilesKept), bytes: 0 };
  // Added files are visited in turn, so the search is breadth-first.
  for (const [name, content] of chosen.contents) {
    for (const imported of await importedBy(tree, name, content)) await chosen.add(imported, kept);
  }
  for (const path of loaded) {
    const name = await tree.findLoaded(path);
    if (name !== null) await chosen.add(name, kept);
  }
  for (const name of [...packaged, ...(await tree.manifests()), ...own]) await chosen.add(name);
  const files = [...chosen.contents].map(([name, content]) => ({ name, content }));
  return { files, leftOut: chosen.leftOut, masked: chosen.masked };
}

interface Mapped {
  readonly name: string;
  readonly map: SentFile;
  readonly originals: readonly string[];
}

/** Returns the map of a built file that the text names, and the program's own files that its places were made from. */
async function mappedBy(tree: SourceTree, base: string, text: string, path: string): Promise<Mapped | null> {
  const name = await tree.findMap(path);
  if (name === null) return null;
  const read = await readSourceFile(join(base, name));
  const map = read.outcome === "read" ? readSourceMap(read.text) : null;
  if (map === null) return null;
  const originals: string[] = [];
  for (const source of mappedFiles(text, path, name, map)) {
    const original = await tree.first([source]);
    if (original !== null) originals.push(original);
  }
  return originals.length === 0 ? null : { name, map: await sentMap(name, map, tree), originals };
}

async function importedBy(tree: SourceTree, name: string, content: string): Promise<string[]> {
  if (name.endsWith(".go")) return tree.samePackage(name);
  const found: string[] = [];
  for (const names of importsOf(name, content)) {
    const imported = await tree.first(names);
    if (imported !== null) found.push(imported);
  }
  return found;
}

const none: FileBudget = { files: 0, bytes: 0 };

/** Files within a budget. */
class ChosenFiles {
  readonly contents = new Map<string, string>();
  readonly leftOut = new Map<string, LeftOut>();
  readonly masked = new Map<string, string>();
  readonly #base: string;
  readonly #budget: FileBudget;
  #bytes = 0;

  constructor(base: string, budget: FileBudget) {
    this.#base = base;
    this.#budget = budget;
  }

  /** Adds a file unless it was added before or doesn't fit; `kept` stays reserved of the room. */
  async add(name: string, kept = none): Promise<void> {
    if (this.#hasRoom(name, kept)) this.#keep(name, await readSentFile(join(this.#base, name)), kept);
  }

  /** Like {@link add}, with what to send in place of the file. */
  addRead(name: string, source: SentFile): void {
    if (this.#hasRoom(name, none)) this.#keep(name, source, none);
  }

  #hasRoom(name: string, kept: FileBudget): boolean {
    if (this.contents.has(name)) return false;
    const isRoom = this.contents.size + kept.files < this.#budget.files;
    if (!isRoom) this.leftOut.set(name, "no room");
    return isRoom;
  }

  #keep(name: string, source: SentFile, kept: FileBudget): void {
    if (source.outcome === "too large" || source.outcome === "no text") this.leftOut.set(name, source.outcome);
    if (source.outcome !== "read") return;
    if (this.#bytes + source.bytes > this.#budget.bytes - kept.bytes) {
      this.leftOut.set(name, "no room");
      return;
    }
    this.#bytes += source.bytes;
    this.leftOut.delete(name);
    this.contents.set(name, source.text);
    if (source.credential !== null) this.masked.set(name, source.credential);
  }
}

import { type FileContent, isBesideProgram, listsDependencies, utf8Length } from "@whence/protocol";
import type { FileNotRead } from "../findings/file-not-read.ts";
import type { ParsedError, ParsedFrame } from "../findings/parsed-error.ts";
import { isAnchored } from "../source/anchor.ts";
import { debugIdOfCode } from "../source/debug-id.ts";
import { gatherLimits } from "../source/gather-limits.ts";
import { importedPaths } from "../source/languages/languages.ts";
import { PathIndex } from "../source/path-index.ts";
import { isAboutJson } from "../source/unparsed-json.ts";
import { dataFilesOf } from "./data-files.ts";
import { pathsNamed, wordsToFind } from "./names-in-error.ts";
import { isSameVersion } from "./same-version.ts";
import type { SourceFiles } from "./source-files.ts";
import { sourceMapLinks } from "./source-map-links.ts";

/** A file of the service's code. */
export interface GatheredFile extends FileContent {
  /** Relative to the service's folder. */
  readonly path: string;
  /** The version of the file, in words for people. */
  readonly version: string;
}

/** The code that explains an error, as far as it exists and fits the limits. */
export interface Gathered {
  readonly files: readonly GatheredFile[];
  readonly notRead: readonly FileNotRead[];
}

/** What leads to code: an error, and the route of the request that failed. */
export interface GatherFor {
  readonly error: ParsedError;
  readonly route: string | undefined;
}

/**
 * Reads the code that an error leads to, the most important first: files on the stack, some of the installed packages
 * on it, files named in an error message, and the service's own files that these import, breadth first. JSON files
 * whose paths appear in the code are included when a JSON parse failed. Then files that contain a function that failed,
 * or a variable, key, or route named in the error. Each file has the path that the stack gives it. Rejects when the
 * provider does.
 */
export async function gather({ error, route }: GatherFor, sources: SourceFiles): Promise<Gathered> {
  const index = new PathIndex(await sources.paths());
  const chosen = new ChosenFiles(sources);
  const frames = error.chain.flatMap((position) => error.exceptions[position]?.frames ?? []);
  await readFrames(frames, index, chosen);
  for (const named of pathsNamed(error)) {
    const found = index.find(named);
    if (found) await chosen.add(found.path, chosen.root);
  }
  const mayBeData = isAboutJson(error);
  // An added file is visited in turn, so the walk is breadth first.
  for (const { path, root, text } of chosen.own) {
    const data = mayBeData ? dataFilesOf(path, text, index) : [];
    const links = [...sourceMapLinks(path, text, index), ...importedPaths(path, text, { paths: index })];
    const imports = await withMap({ path, text }, links, sources);
    for (const named of [...imports, ...data]) await chosen.add(named, root);
  }
  const words = wordsToFind(error, route);
  const naming = words.length === 0 || chosen.isFull ? [] : await sources.search?.(words);
  for (const path of naming ?? []) if (mayExplain(path)) await chosen.add(path, chosen.root);
  return { files: chosen.files, notRead: chosen.notRead };
}

/** Returns whether a file that nothing but a word leads to may have made an error: it runs in the service. */
function mayExplain(path: string): boolean {
  return !isBesideProgram(path) && !listsDependencies(path) && !path.endsWith(".map");
}

/** Returns what a file imports, with the source map that has its debug id in place of the one that it names. */
async function withMap(
  { path, text }: Pick<OwnFile, "path" | "text">,
  imports: readonly string[],
  sources: SourceFiles,
): Promise<readonly string[]> {
  const id = debugIdOfCode(text);
  const map = id === null ? null : ((await sources.mapWithId?.(id, path)) ?? null);
  return map === null ? imports : [map, ...imports.filter((one) => !one.endsWith(".map"))];
}

async function readFrames(frames: readonly ParsedFrame[], index: PathIndex, chosen: ChosenFiles): Promise<void> {
  const packaged = new Set<string>();
  for (const frame of frames) {
    if (frame.file === null || frame.origin === "runtime") continue;
    const found = index.find(frame.file);
    if (frame.origin === "app") {
      if (found) await chosen.add(found.path, found.root, frame);
      else chosen.miss(frame.file, "absent");
      continue;
    }
    // The code of a package, whose users report where they installed it.
    if (found && frame.file.endsWith(`/${found.path}`) && (await chosen.add(found.path, "", frame))) continue;
    const inPackage = packagedPath(frame.file);
    if (inPackage !== null) packaged.add(inPackage);
  }
  for (const path of [...packaged].slice(0, gatherLimits.packagedFilesMax)) await chosen.addPackaged(path);
}

/** Installed packages are in a folder of the same name wherever a service runs. */
function packagedPath(file: string): string | null {
  return /(?:^|\/)((?:node_modules|vendor)\/.+)$/.exec(file)?.[1] ?? null;
}

interface OwnFile {
  readonly path: string;
  readonly root: string;
  readonly text: string;
}

/** The files chosen so far, within the limits. */
class ChosenFiles {
  readonly own: OwnFile[] = [];
  readonly files: GatheredFile[] = [];
  readonly #sources: SourceFiles;
  readonly #seen = new Set<string>();
  readonly #notRead = new Map<string, FileNotRead["why"]>();
  #bytes = 0;

  constructor(sources: SourceFiles) {
    this.#sources = sources;
  }

  get isFull(): boolean {
    return this.files.length >= gatherLimits.filesMax || this.#bytes >= gatherLimits.bytesMax;
  }

  get notRead(): FileNotRead[] {
    return [...this.#notRead].map(([file, why]) => ({ file, why }));
  }

  /** The folder that the service runs in, taken from the innermost frame that was found. */
  get root(): string {
    return this.own[0]?.root ?? "";
  }

  miss(file: string, why: FileNotRead["why"]): void {
    this.#notRead.set(file, why);
  }

  /**
   * Adds a file of the service's own code, unless `frame` shows that different lines ran. Returns whether it is one of
   * those chosen.
   */
  async add(path: string, root: string, frame?: ParsedFrame): Promise<boolean> {
    const text = await this.#read(path, `${root}${path}`, frame);
    if (text !== null) this.own.push({ path, root, text });
    return this.own.some((one) => one.path === path);
  }

  /** Adds a file of an installed package when the provider has it. */
  async addPackaged(path: string): Promise<void> {
    await this.#read(path, `${this.root}${path}`);
  }

  async #read(path: string, name: string, frame?: ParsedFrame): Promise<string | null> {
    if (this.#seen.has(path)) return null;
    this.#seen.add(path);
    if (this.isFull) return this.#leaveOut(name, "no-room");
    const { fileBytesMax, bytesMax } = gatherLimits;
    const file = await this.#sources.read(path, fileBytesMax);
    if (file.outcome !== "read") {
      // A missing file of a package, or a listed file that is gone, isn't worth mentioning to a reader.
      return file.outcome === "absent" && !frame ? null : this.#leaveOut(name, file.outcome);
    }
    const { text, version } = file;
    if (frame?.origin === "dependency" && !isAnchored({ name, text }, frame)) {
      this.#seen.delete(path);
      return null;
    }
    if (frame && !isSameVersion(text, frame)) return this.#leaveOut(name, "other-version");
    const bytes = utf8Length(text);
    if (this.#bytes + bytes > bytesMax) return this.#leaveOut(name, "no-room");
    this.#bytes += bytes;
    this.files.push({ name, path, content: text, version });
    return text;
  }

  #leaveOut(file: string, why: FileNotRead["why"]): null {
    this.#notRead.set(file, why);
    return null;
  }
}

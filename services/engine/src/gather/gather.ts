import { isBesideProgram, listsDependencies, programFileKind } from "@whence/protocol";
import type { FileNotRead } from "../findings/file-not-read.ts";
import type { ParsedError, ParsedFrame } from "../findings/parsed-error.ts";
import { isTelling } from "../source/anchor.ts";
import { debugIdOfCode } from "../source/debug-id.ts";
import { gatherLimits } from "../source/gather-limits.ts";
import type { ImportableFiles } from "../source/languages/language.ts";
import { importedPaths, type Language } from "../source/languages/languages.ts";
import { folderOf, foldersAbove, PathIndex } from "../source/path-index.ts";
import { isTestOnStack } from "../source/test-file.ts";
import { isAboutJson } from "../source/unparsed-json.ts";
import { ChosenFiles, type GatheredFile, type OwnFile } from "./chosen-files.ts";
import { dataFilesOf } from "./data-files.ts";
import { isInstalledCopy } from "./installed-copy.ts";
import { manifestsOf, readManifests } from "./manifests.ts";
import { dataFilesNamed, fieldsReadAt } from "./names-in-code.ts";
import { pathsNamed, wordsToFind } from "./names-in-error.ts";
import type { SourceFiles } from "./source-files.ts";
import { sourceMapLinks } from "./source-map-links.ts";

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

/** Imports of imports of the files on the stack come before the files that a word leads to; farther ones after them. */
const nearImportsMax = 2;
/** Files that a word leads to, before farther imports. */
const firstNamingMax = 8;

/**
 * Reads the code that an error leads to, the most important first: files on the stack, some of the installed packages
 * on it, files named in an error message, and the service's own files that these import, breadth first. JSON files
 * whose paths appear in the code are included when a JSON parse failed. Files that contain a function that failed, or
 * a variable, key, or route named in the error, come before imports that are far away. Where an error was printed
 * without calls, so do files that set time limits, if one passed. Of a small program, the rest is read, too. Each file
 * has the path that the stack gives it. Rejects when the provider does.
 */
export async function gather({ error, route }: GatherFor, sources: SourceFiles): Promise<Gathered> {
  const paths = await sources.paths();
  const index = new PathIndex(paths);
  const chosen = new ChosenFiles(sources);
  await readFrames(error, index, chosen);
  for (const named of pathsNamed(error)) {
    const found = index.find(named);
    if (found) await chosen.add(found.path, chosen.root);
  }
  const onStack = [...chosen.own];
  const texts = await readManifests(onStack, paths, sources);
  const importable = { paths: index, textOf: (path: string) => texts.get(path) ?? null };
  const imports = new ImportWalk(chosen, sources, importable, isAboutJson(error));
  await imports.follow(nearImportsMax, firstNamingMax);
  const words = [
    ...wordsToFind(error, route),
    ...onStack.slice(0, 1).flatMap(({ text }) => fieldsReadAt(error, text)),
    ...dataFilesNamed(chosen.own.map(({ text }) => text)),
  ];
  const naming = words.length === 0 || chosen.isFull ? [] : ((await sources.search?.(words)) ?? []);
  const isBuilt = builtAmong(paths);
  const leading = naming.filter((path) => mayExplain(path) && !isBuilt(path));
  for (const path of leading.slice(0, firstNamingMax)) await chosen.add(path, chosen.root);
  await imports.follow();
  // By the manifests, the trace follows the names of the project's own packages.
  for (const path of [...leading, ...manifestsOf(chosen.own, texts.keys())]) {
    if (!chosen.isFull) await chosen.add(path, chosen.root);
  }
  for (const path of restOfProgram(paths, chosen, isStackless(error))) await chosen.add(path, chosen.root);
  return { files: chosen.files, notRead: chosen.notRead };
}

/**
 * Returns the program's files that nothing led to, if there is room for all of them. What uses a file on the stack isn't
 * among its imports, and an error without a stack may come from any file.
 */
function restOfProgram(paths: readonly string[], chosen: ChosenFiles, isStackless: boolean): readonly string[] {
  const [innermost] = chosen.own;
  if (!innermost && !isStackless) return [];
  const folder = innermost ? programFolder(innermost.path, paths) : "";
  const isBuilt = builtAmong(paths);
  const rest = paths.filter(
    (path) =>
      path.startsWith(folder) &&
      programFileKind(path) !== null &&
      mayExplain(path) &&
      !isBuilt(path) &&
      !chosen.own.some((own) => own.path === path),
  );
  return rest.length <= chosen.room ? rest : [];
}

/** Returns whether an error was printed without any call. */
function isStackless({ chain, exceptions }: ParsedError): boolean {
  return chain.length > 0 && chain.every((index) => exceptions[index]?.frames.length === 0);
}

/** Tells which files have a source map beside them: what they say, their originals say, too. */
function builtAmong(paths: readonly string[]): (path: string) => boolean {
  const all = new Set(paths);
  return (path) => all.has(`${path}.map`);
}

/** Returns the innermost folder around a file that lists dependencies, with a slash at its end; empty for the root. */
function programFolder(path: string, paths: readonly string[]): string {
  const roots = new Set(paths.filter(listsDependencies).map(folderOf));
  const folder = foldersAbove(path).find((one) => roots.has(one));
  return folder ? `${folder}/` : "";
}

/** Returns whether a file that nothing but a word leads to may have made an error: it runs in the service. */
function mayExplain(path: string): boolean {
  return !isBesideProgram(path) && !listsDependencies(path) && !path.endsWith(".map");
}

/** Follows the imports of chosen files, breadth first. */
class ImportWalk {
  readonly #chosen: ChosenFiles;
  readonly #sources: SourceFiles;
  readonly #importable: ImportableFiles;
  readonly #mayBeData: boolean;
  readonly #visited = new Set<OwnFile>();

  constructor(chosen: ChosenFiles, sources: SourceFiles, importable: ImportableFiles, mayBeData: boolean) {
    this.#chosen = chosen;
    this.#sources = sources;
    this.#importable = importable;
    this.#mayBeData = mayBeData;
  }

  /**
   * Adds the files that the chosen ones import, through at most `depthMax` imports. All but those of the innermost file
   * wait once there is room for `roomMin` files only.
   */
  async follow(depthMax = Number.POSITIVE_INFINITY, roomMin = 0): Promise<void> {
    // An added file is visited in turn.
    for (const file of this.#chosen.own) {
      if (file.depth >= depthMax || this.#visited.has(file)) continue;
      const isInnermost = this.#visited.size === 0;
      for (const path of await this.#leadsTo(file)) {
        if (!isInnermost && this.#chosen.room <= roomMin) return;
        await this.#chosen.add(path, file.root, { depth: file.depth + 1 });
      }
      this.#visited.add(file);
    }
  }

  async #leadsTo({ path, text }: OwnFile): Promise<readonly string[]> {
    const data = this.#mayBeData ? dataFilesOf(path, text, this.#importable.paths) : [];
    const maps = sourceMapLinks(path, text, this.#importable.paths);
    const links = [...maps, ...importedPaths(path, text, this.#importable)];
    return [...(await withMap({ path, text }, links, this.#sources)), ...data];
  }
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

/** A call, and the language that printed it. */
interface PrintedCall {
  readonly frame: ParsedFrame;
  readonly language: Language | null;
}

/** Reads the files on the stack, and, where none of them is the program's, those of the text's other errors. */
async function readFrames(error: ParsedError, index: PathIndex, chosen: ChosenFiles): Promise<void> {
  await readCalls(callsOf(error, error.chain), index, chosen);
  if (!chosen.own.every(({ path }) => isTestOnStack(path))) return;
  const aside = new Set([...error.chain, ...(error.chosenBecause?.inValues ?? [])]);
  const others = callsOf(
    error,
    [...error.exceptions.keys()].filter((index) => !aside.has(index)),
  );
  await readCalls(
    others.filter(({ frame }) => frame.file !== null && index.find(frame.file) !== null),
    index,
    chosen,
  );
}

function callsOf({ exceptions }: ParsedError, positions: readonly number[]): PrintedCall[] {
  return positions.flatMap((position) => {
    const exception = exceptions[position];
    return exception?.frames.map((frame) => ({ frame, language: exception.language })) ?? [];
  });
}

async function readCalls(printed: readonly PrintedCall[], index: PathIndex, chosen: ChosenFiles): Promise<void> {
  const packaged = new Set<string>();
  for (const { frame, language } of printed) {
    if (frame.file === null) continue;
    const found = index.find(frame.file);
    if (frame.origin === "app") {
      if (found) await chosen.add(found.path, found.root, { frame });
      else chosen.miss(frame.file, "absent");
      continue;
    }
    // The code of a package or a runtime, whose users report where they installed it.
    const isCopy = found !== null && isInstalledCopy(frame.file, found.path, language);
    const isRead = isCopy || isTelling(frame.code);
    if (found && isRead && (await chosen.add(found.path, "", { frame, isRenamed: !isCopy }))) continue;
    if (frame.origin === "runtime") continue;
    const inPackage = packagedPath(frame.file);
    if (inPackage !== null) packaged.add(inPackage);
  }
  for (const path of [...packaged].slice(0, gatherLimits.packagedFilesMax)) await chosen.addPackaged(path);
}

/** Installed packages are in a folder of the same name wherever a service runs. */
function packagedPath(file: string): string | null {
  return /(?:^|\/)((?:node_modules|vendor)\/.+)$/.exec(file)?.[1] ?? null;
}

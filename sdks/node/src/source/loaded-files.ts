import { Module } from "node:module";
import { dirname, resolve } from "node:path";
import { limits } from "@whence/protocol/limits";
import { entryFile } from "../environment.ts";
import { readProperty } from "../runtime/read-property.ts";
import { workingFolder } from "../runtime/working-folder.ts";
import * as sdkLimits from "../sdk-limits.ts";
import { originalPath } from "./mapped-stacks.ts";
import { contentOf, type OnDisk, realFile } from "./on-disk.ts";
import { isCode, rootAbove, sendablePath } from "./program-files.ts";
import { sourceMapOf } from "./source-map-file.ts";

/** A file that may be sent: its path below the program's root, and how to read it. */
export interface SendableFile {
  readonly path: string;
  /** As stacks name it. */
  readonly file: string;
  /** Returns its text; undefined when it is gone, too large, or not text. */
  read(): OnDisk<string | undefined>;
}

/** A file that the program loaded, or that one names: what may be sent of it, and the files that it names. */
interface LoadedFile {
  readonly files: readonly SendableFile[];
  readonly names: readonly string[];
}

/** Matches relative paths in code: imports, workers, and data. */
const relativeNames = /["'`](\.{1,2}\/[^"'`\s?#*${}]{1,200})/g;
/** Matches names of data files, which are often relative to a folder that the code computes. */
const dataNames = /["'`]([\w@-][\w@./-]{0,200}\.(?:json|ya?ml|toml|sql))["'`]/g;
const extensions = [".js", ".ts", ".mjs", ".cjs", ".mts", ".cts", ".tsx", ".jsx", ".json"];

/**
 * Finds the program's own files that an investigation wants, in the order of their importance: the wanted files, those
 * that they import, then the program's others. A file counts as the program's own when the main file, or a module that
 * Node has loaded, names it, directly or through others; a wanted file that isn't among these is never read. Empty when
 * none of the wanted ones is. `.` stands for the main file.
 */
export function* sendableFiles(wanted: readonly string[]): OnDisk<readonly SendableFile[]> {
  const { loaded, main } = yield* loadedFiles();
  const names = new Set(wanted);
  const slashed = wanted.map((name) => `/${name.replaceAll("\\", "/")}`);
  const isWanted = ({ path, file }: SendableFile): boolean =>
    names.has(file) || slashed.some((name) => name.endsWith(`/${path}`));
  const first = [...loaded].filter(([file, { files }]) => files.some(isWanted) || (file === main && names.has(".")));
  if (first.length === 0) return [];
  const order = new Set(first.map(([file]) => file));
  for (const file of order) for (const name of loaded.get(file)?.names ?? []) order.add(name);
  for (const file of loaded.keys()) order.add(file);
  const files = [...order].flatMap((file) => loaded.get(file)?.files ?? []);
  return [...files.filter(isWanted), ...files.filter((file) => !isWanted(file))];
}

/** Reads the program from its main file and loaded modules on, one file after the other, up to a limit. */
function* loadedFiles(): OnDisk<{ loaded: Map<string, LoadedFile>; main: string | undefined }> {
  const loaded = new Map<string, LoadedFile>();
  const entry = entryFile();
  const main = entry === undefined ? undefined : yield* existing(entry);
  const roots = [...(main === undefined ? [] : rootAbove(dirname(main))), ...rootAbove(workingFolder())];
  const cached = Object.keys(readProperty(Module, "_cache") ?? {});
  const found = new Set([...(main === undefined ? [] : [main]), ...cached]);
  for (const file of found) {
    if (loaded.size >= sdkLimits.loadedFilesMax) break;
    const path =
      sendablePath(file, roots) ?? (file === main ? sendablePath(`${file}.js`, roots)?.slice(0, -3) : undefined);
    if (path === undefined) continue;
    const own = { path, file, read: () => readText(file) };
    const originals = isCode(file) ? yield* originalsOf(file, roots) : [];
    const text = isCode(file) || file === main ? yield* own.read() : undefined;
    const names = text === undefined ? [] : yield* namedFiles(text, dirname(file));
    loaded.set(file, { files: originals.length > 0 ? originals : [own], names });
    for (const name of names) found.add(name);
  }
  return { loaded, main };
}

/** Returns the program's own sources that a compiled file was made from, by its map. */
function* originalsOf(file: string, roots: readonly string[]): OnDisk<SendableFile[]> {
  const { folder, parts } = yield* sourceMapOf(file);
  return parts.flatMap(({ map: { sources, sourcesContent, sourceRoot } }) =>
    sources.flatMap((source, index) => {
      const original = source === undefined ? "" : originalPath(source, sourceRoot, folder);
      const path = sendablePath(original, roots);
      if (path === undefined) return [];
      const content = sourcesContent[index];
      const read = function* (): OnDisk<string | undefined> {
        if (content !== undefined) return within(content);
        // The map may name anything: what it names must be inside after links are followed.
        const real = yield* existing(original);
        return real !== undefined && sendablePath(real, roots) !== undefined ? yield* readText(real) : undefined;
      };
      return [{ path, file: original, read }];
    }),
  );
}

/** Returns the existing files that a text names, with links followed. */
function* namedFiles(text: string, folder: string): OnDisk<string[]> {
  const named = new Set([...text.matchAll(relativeNames)].map(([, name = ""]) => resolve(folder, name)));
  for (const [, name = ""] of text.matchAll(dataNames)) {
    named.add(resolve(folder, name));
    if (workingFolder() !== "") named.add(resolve(workingFolder(), name));
  }
  const files: string[] = [];
  for (const name of [...named].slice(0, sdkLimits.namedFilesMax)) {
    const file = yield* existing(name);
    if (file !== undefined) files.push(file);
  }
  return files;
}

/** Returns the file that Node or a compiler would load under a name, with links followed. */
function* existing(name: string): OnDisk<string | undefined> {
  const source = name.replace(/\.([cm]?)js(x?)$/, ".$1ts$2");
  const folder = extensions.map((extension) => `${name}/index${extension}`);
  for (const candidate of [name, source, ...extensions.map((extension) => name + extension), ...folder]) {
    const file = yield* realFile(candidate);
    if (file !== undefined) return file;
  }
  return undefined;
}

function* readText(file: string): OnDisk<string | undefined> {
  const content = yield* contentOf(file, limits.sentFileBytesMax);
  return content && within(content.toString());
}

function within(text: string): string | undefined {
  return Buffer.byteLength(text) > limits.sentFileBytesMax || text.includes("\0") ? undefined : text;
}

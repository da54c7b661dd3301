import { existsSync, readFileSync } from "node:fs";
import { Module } from "node:module";
import { dirname, join } from "node:path";
import { asText, readProperty } from "../../runtime/read-property.ts";
import { workingFolder } from "../../runtime/working-folder.ts";
import type { ChangeSource } from "./common-js-sources.ts";

/** The result that a load hook gets from the next one. */
interface Loaded {
  format?: unknown;
  source?: unknown;
}

type LoadHook = (url: string, context: unknown, next: (url: string, context: unknown) => Loaded) => Loaded;

/**
 * Changes the sources of ES modules as they load, where Node supports synchronous hooks (22.15, 23.5, and newer). A
 * hook shows in the stack of a module that can't be loaded, so it is installed only in a program that has one of these
 * packages, and removed once as many files as `counts` says have loaded.
 */
export function changeEsModuleSources(
  counts: Readonly<Record<string, number>>,
  find: (url: string) => ChangeSource | undefined,
): void {
  const register = readProperty(Module, "registerHooks");
  if (typeof register !== "function") return;
  const folders = packageFolders();
  const names = Object.keys(counts).filter((name) => isInstalled(name, folders));
  let left = names.reduce((sum, name) => sum + (counts[name] ?? 0), 0);
  if (left === 0) return;
  const load: LoadHook = (url, context, next) => {
    const loaded = next(url, context);
    const change = find(url);
    if (!change) return loaded;
    // A package may also have CommonJS files, which are changed elsewhere.
    if (names.some((name) => url.includes(`/node_modules/${name}/`))) left -= 1;
    if (left === 0) deregister(hooks);
    if (loaded.format !== "module") return loaded;
    return { ...loaded, source: change(textOf(loaded.source)) ?? loaded.source };
  };
  const hooks: unknown = register({ load });
}

function deregister(hooks: unknown): void {
  const stop = readProperty(hooks, "deregister");
  if (typeof stop === "function") stop.call(hooks);
}

/** Whether one of these folders contains this package as ES modules. */
function isInstalled(name: string, folders: readonly string[]): boolean {
  return folders.some((folder) => {
    const manifest = join(folder, name, "package.json");
    return existsSync(manifest) && esManifest.test(readFileSync(manifest, "utf8"));
  });
}

/** Returns the folders in which the program, or what runs in its working directory, finds packages. */
function packageFolders(): string[] {
  const [, program] = process.argv;
  const starts = [...(program === undefined ? [] : [dirname(program)]), workingFolder()];
  const above = new Set(starts.flatMap(foldersAbove));
  return [...above].map((folder) => join(folder, "node_modules")).filter((folder) => existsSync(folder));
}

const esManifest = /"type":\s*"module"/;

function foldersAbove(folder: string): string[] {
  const above = dirname(folder);
  return above === folder ? [folder] : [folder, ...foldersAbove(above)];
}

function textOf(source: unknown): string {
  return source instanceof Uint8Array ? Buffer.from(source).toString() : asText(source);
}

import { folderOf, foldersAbove, type PathIndex, pathIn } from "../path-index.ts";
import { aliasTargets, entryTargets, projectPackage, subpathTargets } from "./javascript-manifests.ts";
import type { ImportableFiles, LanguageTable } from "./language.ts";

/** How Node.js up to version 15 named its own modules. */
const oldNodeModule =
  "_\\w{1,40}|events|net|fs|dns|tls|http|https|http2|module|timers|stream|vm|zlib|child_process|assert|dgram|readline|domain|buffer|path|url|util|querystring|string_decoder|crypto|cluster|repl|tty";

/** JavaScript and TypeScript. */
export const javascript: LanguageTable = {
  files: /\.(?:[cm]?[jt]sx?|vue|svelte)(?:\?|$)|^node:/,
  runtimes: ["node", "node.js", "bun", "deno", "browser", "workerd", "edge"],
  homes: {
    runtimeFolders: [],
    dependencyFolders: [
      "/node_modules/",
      "/.pnpm/",
      "/.yarn/",
      "/bower_components/",
      "/deno.land/",
      "/esm.sh/",
      "/jsr.io/",
      "/__cypress/",
    ],
    runtimeFiles: /^(?:node:|internal\/|ext:|bun:|native$|wasm:\/\/)/,
    runtimeFilesAsPrinted: new RegExp(`^(?:${oldNodeModule})\\.js$`),
    isRuntimeWithoutFile: true,
  },
  imports: { written, resolve },
  printsV8Stacks: true,
  blockNames: { mts: "ts", cts: "ts", mjs: "js", cjs: "js" },
};

/** A module's name, which isn't one of Node.js: `./a`, `@/a`, `#a`, `shop-core/a`. */
const moduleName = "(?!node:)[\\w.@~#](?:[\\w.@~/+-]{0,500})";
const imported = new RegExp(`(?:\\bfrom|\\bimport|\\brequire\\s*\\(|\\bimport\\s*\\()\\s*["'](${moduleName})["']`, "g");

function written(text: string): string[] {
  return Array.from(text.matchAll(imported), ([, to = ""]) => to);
}

const endings = ["ts", "tsx", "mts", "cts", "js", "jsx", "mjs", "cjs", "vue", "svelte"];
const scriptEnding = /\.[cm]?[jt]sx?$/;

function resolve(module: string, from: string, files: ImportableFiles): string[] {
  const ending = scriptEnding.exec(from)?.[0].slice(1) ?? "";
  const targets = module.startsWith(".")
    ? [pathIn(folderOf(from), module)]
    : [...aliasTargets(module, from, files), ...aliased(module, from), ...subpathTargets(module, from, files)];
  for (const target of targets) {
    const found = fileNamed(target, ending, files.paths);
    if (found !== null) return [found];
  }
  const found = module.startsWith(".") ? null : resolvePackage(module, from, ending, files);
  return found === null ? [] : [found];
}

/** Resolves `@/a` and `~/a`, which many projects use for files below `src` or the root. */
function aliased(module: string, from: string): string[] {
  const path = /^[@~]\/(.*)$/.exec(module)?.[1];
  if (path === undefined) return [];
  return foldersAbove(from).flatMap((folder) => [pathIn(folder, `src/${path}`), pathIn(folder, path)]);
}

/**
 * TypeScript imports a file by the name of its compiled output. Of several extensions, that of the importing file is
 * tried first.
 */
function fileNamed(target: string, ending: string, paths: PathIndex): string | null {
  const sorted = [ending, ...endings.filter((one) => one !== ending)].filter((one) => one !== "");
  const stem = target.replace(scriptEnding, "");
  const stems = stem === target ? [target] : [stem, target];
  return paths.firstOf([
    target,
    ...stems.flatMap((one) => sorted.map((each) => `${one}.${each}`)),
    ...stems.flatMap((one) => sorted.map((each) => `${one}/index.${each}`)),
  ]);
}

/** The folders and names of a package's entry file when its package.json wasn't given. */
const entryFolders = ["", "lib/", "dist/", "src/", "build/"];

/** Resolves by the package's package.json if it was given, and otherwise by the usual entry files. */
function resolvePackage(module: string, from: string, ending: string, files: ImportableFiles): string | null {
  const [name = "", subpath] = /^(@[^/]+\/[^/]+|[^/]+)(?:\/(.*))?$/.exec(module)?.slice(1) ?? [];
  const { paths } = files;
  const root = projectPackage(name, files) ?? rootOf(name, from, paths);
  if (root === null) return null;
  const usual = ["index", name.split("/").at(-1) ?? name].flatMap((file) => entryFolders.map((one) => one + file));
  const beside = subpath === undefined ? usual : [subpath, `src/${subpath}`];
  for (const target of [...entryTargets(root, subpath, files), ...beside.map((entry) => pathIn(root, entry))]) {
    const found = fileNamed(target, ending, paths);
    if (found !== null) return found;
  }
  if (subpath !== undefined) return null;
  const [only, ...others] = paths.below(root).filter((path) => scriptEnding.test(path));
  return others.length === 0 ? (only ?? null) : null;
}

/** The folder of an installed package: the nearest one, as Node.js resolves it, or else any. */
function rootOf(name: string, from: string, paths: PathIndex): string | null {
  const roots = paths.packageRoots(name);
  const near = foldersAbove(from).map((folder) => pathIn(folder, `node_modules/${name}`));
  return near.find((root) => roots.includes(root)) ?? roots[0] ?? null;
}

import { existsSync } from "node:fs";
import { dirname, join, relative, sep } from "node:path";
import { workingFolder } from "../runtime/working-folder.ts";

/**
 * Matches files of code. Anyone may have written a stack or a map: one that names another kind of file is wrong, or
 * tries to read something secret, such as `.env`.
 */
const sourceFile = /\.(?:[cm]?[jt]sx?|vue|svelte|astro|mdx|coffee)$/i;
/** Matches data that code reads, and {@link secretFile} those of it that are likely to hold credentials. */
const dataFile = /\.(?:json|ya?ml|toml|sql|graphql|gql|prisma)$/i;
const secretFile = /(?:secret|credential|passw(?:or)?d|private[-_]?key|service[-_]?account|token)[^/]*$/i;

let roots: readonly string[] | undefined;

/**
 * Whether a file is code below the folder of the program or its workspace, since Node doesn't list the files it has
 * loaded. Searches for these folders once, synchronously.
 */
export function isProgramFile(file: string): boolean {
  // The program itself may have any name, such as `bin/www`.
  if (file === process.argv[1]) return true;
  if (!sourceFile.test(file)) return false;
  roots ??= [process.argv[1] === undefined ? "" : dirname(process.argv[1]), workingFolder()].flatMap(rootAbove);
  return roots.some((root) => isBelow(root, file));
}

/**
 * Returns a file's path below the first of the folders that contains it, with slashes, when the whole file may leave the
 * process: the program's own code, and data next to it. Never an installed package, a hidden file or folder, or data
 * that is named like a credential. `file` must not contain symbolic links, or be relative.
 */
export function sendablePath(file: string, below: readonly string[]): string | undefined {
  const root = below.find((folder) => isBelow(folder, file));
  const path = root === undefined ? file : relative(root, file);
  const segments = path.split(sep === "\\" ? /[\\/]/ : "/");
  if (root === undefined && /^(?:[\\/]|[a-z]:)/i.test(file)) return undefined;
  if (segments.some((segment) => segment === "" || segment.startsWith(".") || segment === "node_modules"))
    return undefined;
  if (isCode(path)) return segments.join("/");
  return dataFile.test(path) && !secretFile.test(path) ? segments.join("/") : undefined;
}

/** Whether a file is code, by its extension. */
export function isCode(file: string): boolean {
  return sourceFile.test(file);
}

/** Returns the topmost folder with a manifest, such as a workspace's; without one, the folder itself. */
export function rootAbove(folder: string): string[] {
  if (folder === "") return [];
  let root = folder;
  for (let at = folder; ; at = dirname(at)) {
    if (existsSync(join(at, "package.json"))) root = at;
    if (dirname(at) === at) return [root];
  }
}

function isBelow(root: string, file: string): boolean {
  return file.startsWith(root.endsWith(sep) ? root : root + sep);
}

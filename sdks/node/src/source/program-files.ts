import { existsSync } from "node:fs";
import { dirname, join, sep } from "node:path";
import { workingFolder } from "../runtime/working-folder.ts";

/**
 * Matches files of code. Anyone may have written a stack or a map: one that names another kind of file is wrong, or
 * tries to read something secret, such as `.env`.
 */
const sourceFile = /\.(?:[cm]?[jt]sx?|vue|svelte|astro|mdx|coffee)$/i;

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
  return roots.some((root) => file.startsWith(root.endsWith(sep) ? root : root + sep));
}

/** Returns the topmost folder with a manifest, such as a workspace's; without one, the folder itself. */
function rootAbove(folder: string): string[] {
  if (folder === "") return [];
  let root = folder;
  for (let at = folder; ; at = dirname(at)) {
    if (existsSync(join(at, "package.json"))) root = at;
    if (dirname(at) === at) return [root];
  }
}

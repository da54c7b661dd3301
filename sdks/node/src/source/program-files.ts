import { existsSync } from "node:fs";
import { dirname, join, sep } from "node:path";
import { workingFolder } from "../runtime/working-folder.ts";

/**
 * Files of code. A stack is text that anyone may have written, and a map may name anything: what names another file is
 * wrong, or wants to see what it must not, such as `.env`.
 */
const sourceFile = /\.(?:[cm]?[jt]sx?|vue|svelte|astro|mdx|coffee)$/i;

let roots: readonly string[] | undefined;

/**
 * Whether a file is code below the folder of the program, or of the workspace that it belongs to: Node doesn't say which
 * files it has loaded. Looks for these folders once, for which it blocks.
 */
export function isProgramFile(file: string): boolean {
  // The program itself may be called anything, as `bin/www` is.
  if (file === process.argv[1]) return true;
  if (!sourceFile.test(file)) return false;
  roots ??= [process.argv[1] === undefined ? "" : dirname(process.argv[1]), workingFolder()].flatMap(rootAbove);
  return roots.some((root) => file.startsWith(root.endsWith(sep) ? root : root + sep));
}

/** The topmost folder with a manifest, which is a workspace's own; the folder itself without any. */
function rootAbove(folder: string): string[] {
  if (folder === "") return [];
  let root = folder;
  for (let at = folder; ; at = dirname(at)) {
    if (existsSync(join(at, "package.json"))) root = at;
    if (dirname(at) === at) return [root];
  }
}

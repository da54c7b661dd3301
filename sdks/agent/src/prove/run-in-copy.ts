import { realpath } from "node:fs/promises";
import { join, relative } from "node:path";
import { type EndedProgram, type ProgramOptions, runProgram } from "./run-program.ts";
import type { TreeCopy } from "./tree-copy.ts";

/** Returns where a command that runs in a folder of the tree runs in its copy. */
export async function folderInCopy(tree: TreeCopy, cwd: string): Promise<string> {
  return join(tree.folder, relative(tree.root, await realpath(cwd)));
}

/** Runs a command in the copy of a tree: paths of the tree in the command and its environment are those of the copy. */
export async function runInCopy(
  command: readonly string[],
  tree: TreeCopy,
  options: ProgramOptions,
): Promise<EndedProgram> {
  const cwd = await folderInCopy(tree, options.cwd);
  const moved = Object.entries(options.environment).map(([name, value]) => [name, value && tree.moved(value)]);
  // Compiled files of one run could be taken for those of other sources.
  const environment = { ...Object.fromEntries(moved), PWD: cwd, PYTHONDONTWRITEBYTECODE: "1" };
  return runProgram(command.map(tree.moved), { ...options, cwd, environment });
}

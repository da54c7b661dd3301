import { readFile, realpath, writeFile } from "node:fs/promises";
import { resolve } from "node:path";
import { filesOfDiff, type Patch, patchedPath, type TriedPatch, withDiff } from "@whence/protocol";
import { folderInCopy, runInCopy } from "./run-in-copy.ts";
import type { EndedProgram, ProgramOptions } from "./run-program.ts";
import { testCountsIn } from "./test-counts.ts";
import { copyTree, isWithin, type TreeCopy, TreeTooLarge } from "./tree-copy.ts";

/** What became of a patch: what it did, or why it decides nothing. */
export type Trial =
  | { readonly kind: "tried"; readonly tried: TriedPatch }
  | { readonly kind: "undecided"; readonly why: string };

interface TriedProgram {
  readonly command: readonly string[];
  readonly patch: Patch;
  /** How the messages of the failing error and its causes begin. */
  readonly failures: readonly string[];
}

const timeIsOver = "the time is over";

/**
 * Tries a patch in a copy of the tree: runs the command there without it, which has to fail in the same way, and with it.
 * The tree itself isn't touched.
 */
export async function tryPatch(
  { command, patch, failures }: TriedProgram,
  options: () => ProgramOptions,
  isOver: () => boolean,
): Promise<Trial> {
  const undecided = (why: string): Trial => ({ kind: "undecided", why });
  let tree: TreeCopy;
  try {
    tree = await copyTree(options().cwd, isOver);
  } catch (error) {
    if (error instanceof TreeTooLarge) return undecided(isOver() ? timeIsOver : "the tree is too large to be copied");
    return undecided(`the tree can't be copied: ${messageOf(error)}`);
  }
  try {
    const own = await realpath(options().cwd);
    const cwd = await folderInCopy(tree, own);
    const run = (): Promise<EndedProgram> => runInCopy(command, tree, options());
    const before = await run();
    if (before.code === null) return undecided(timeIsOver);
    if (!isFailing(before, failures))
      return undecided("the command doesn't fail in the same way in a copy of the tree");
    if ([options().cwd, own].some((folder) => runsOriginal(before, patch, folder)))
      return undecided("the copy runs code of the tree itself");
    if (!(await apply(patch, tree, cwd))) return undecided("it doesn't apply to the files as they are");
    const after = await run();
    if (after.code === null) return undecided(timeIsOver);
    const tests = { before: testCountsIn(before.output), after: testCountsIn(after.output) };
    return { kind: "tried", tried: { diff: patch.diff, outcome: outcomeOf(after, failures, tests), ...tests } };
  } catch (error) {
    options().signal.throwIfAborted();
    return undecided(`the copy can't be used: ${messageOf(error)}`);
  } finally {
    await tree.remove();
  }
}

function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}

function isFailing({ code, output }: EndedProgram, failures: readonly string[]): boolean {
  return code !== 0 && (failures.length === 0 || failures.some((message) => output.includes(message)));
}

/** Whether the stack of a failure in the copy names a patched file of the tree, as when a package of it is installed. */
function runsOriginal({ output }: EndedProgram, { files }: Patch, cwd: string): boolean {
  return files.some(({ file }) => output.includes(resolve(cwd, file)));
}

function outcomeOf(
  after: EndedProgram,
  failures: readonly string[],
  tests: Pick<TriedPatch, "before" | "after">,
): TriedPatch["outcome"] {
  if (isFailing(after, failures)) return "fails";
  if (after.code !== 0) return "changed";
  if (tests.before === null) return "repaired";
  return tests.after && tests.after.failed === 0 && tests.after.passed >= tests.before.passed ? "repaired" : "changed";
}

/** Applies a patch in the copy. Returns false where it doesn't apply, or a file of it leads out of the copy. */
async function apply(patch: Patch, tree: TreeCopy, cwd: string): Promise<boolean> {
  const parts = filesOfDiff(patch.diff);
  const written: { readonly path: string; readonly text: string }[] = [];
  for (const changed of patch.files) {
    const part = parts.find(({ path }) => path === patchedPath(changed));
    const path = await realpath(resolve(cwd, tree.moved(changed.file))).catch(() => null);
    if (!part || path === null || !isWithin(tree.folder, path)) return false;
    const text = withDiff(await readFile(path, "utf8"), part.part);
    if (text === null) return false;
    written.push({ path, text });
  }
  for (const { path, text } of written) await writeFile(path, text);
  return true;
}

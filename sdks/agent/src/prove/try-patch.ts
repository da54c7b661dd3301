import { readFile, realpath } from "node:fs/promises";
import { relative, resolve } from "node:path";
import { filesOfDiff, type Patch, patchedPath, type TriedPatch, withDiff } from "@whence/protocol";
import { type CopiedRun, type CopiedRuns, type FileChanges, hasFailed, isRepaired, Undecided } from "./copied-runs.ts";
import { isWithin, rootOf } from "./tree-copy.ts";

/** What became of a patch: what it did, or why it decides nothing. */
export type Trial =
  | { readonly kind: "tried"; readonly tried: TriedPatch }
  | { readonly kind: "undecided"; readonly why: string };

/**
 * Tries a patch in copies of the tree: the command has to fail there in the same way without it. `failures` are how the
 * messages of the failing error and its causes begin.
 */
export async function tryPatch(patch: Patch, failures: readonly string[], runs: CopiedRuns): Promise<Trial> {
  try {
    const cwd = await runs.cwd;
    const before = await runs.failing(
      failures,
      patch.files.map(({ file }) => resolve(cwd, file)),
    );
    const after = await runs.with(await changesOf(patch, cwd));
    const tests = { before: before.tests, after: after.tests };
    return { kind: "tried", tried: { diff: patch.diff, outcome: outcomeOf(before, after, failures), ...tests } };
  } catch (error) {
    if (error instanceof Undecided) return { kind: "undecided", why: error.message };
    throw error;
  }
}

function outcomeOf(before: CopiedRun, after: CopiedRun, failures: readonly string[]): TriedPatch["outcome"] {
  if (hasFailed(after, failures)) return "fails";
  return isRepaired(after, before) ? "repaired" : "changed";
}

/** Returns what a patch makes of the files of the tree. */
async function changesOf(patch: Patch, cwd: string): Promise<FileChanges> {
  const root = await rootOf(cwd);
  const parts = filesOfDiff(patch.diff);
  const changes = new Map<string, string>();
  for (const changed of patch.files) {
    const part = parts.find(({ path }) => path === patchedPath(changed));
    const path = await realpath(resolve(cwd, changed.file)).catch(() => null);
    const text =
      part && path !== null && isWithin(root, path) ? withDiff(await readFile(path, "utf8"), part.part) : null;
    if (path === null || text === null) throw new Undecided("it doesn't apply to the files as they are");
    changes.set(relative(root, path), text);
  }
  return changes;
}

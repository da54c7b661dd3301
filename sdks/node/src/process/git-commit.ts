import { readFileSync, statSync } from "node:fs";
import { dirname, join, resolve } from "node:path";
import * as sdkLimits from "../sdk-limits.ts";

const commitId = /^[0-9a-f]{40}(?:[0-9a-f]{24})?$/;

/**
 * Returns the ID of the commit that is checked out in a folder or in one above it; undefined without a checkout. Reads
 * git's files, synchronously, and starts no process.
 */
export function checkedOutCommit(folder: string): string | undefined {
  const gitFolder = gitFolderAbove(folder);
  const head = gitFolder && readText(join(gitFolder, "HEAD"));
  if (!gitFolder || !head) return undefined;
  const branch = /^ref: (refs\/.+)$/.exec(head)?.[1];
  const found = branch === undefined ? head : commitOf(branch, gitFolder);
  return found !== undefined && commitId.test(found) ? found : undefined;
}

/** Returns the repository's folder. A worktree or submodule has a file there instead, which names the folder. */
function gitFolderAbove(folder: string): string | undefined {
  const path = join(folder, ".git");
  if (readText(join(path, "HEAD")) !== undefined) return path;
  const named = /^gitdir: (.+)$/.exec(readText(path) ?? "")?.[1];
  if (named !== undefined) return resolve(folder, named);
  const parent = dirname(folder);
  return parent === folder ? undefined : gitFolderAbove(parent);
}

/** Returns the commit of a branch, which worktrees share. */
function commitOf(branch: string, gitFolder: string): string | undefined {
  const shared = resolve(gitFolder, readText(join(gitFolder, "commondir")) ?? ".");
  return readText(join(gitFolder, branch)) ?? readText(join(shared, branch)) ?? packedCommitOf(branch, shared);
}

function packedCommitOf(branch: string, shared: string): string | undefined {
  const lines = readText(join(shared, "packed-refs"))?.split("\n") ?? [];
  return lines.find((line) => line.endsWith(` ${branch}`))?.split(" ")[0];
}

function readText(path: string): string | undefined {
  try {
    return statSync(path).size > sdkLimits.gitFileBytesMax ? undefined : readFileSync(path, "utf8").trim();
  } catch {
    // It doesn't exist, is a folder, or can't be read.
    return undefined;
  }
}

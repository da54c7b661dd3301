import type { ChangeCommit } from "@whence/engine";
import { type GitCommit, git } from "./git-commit.ts";

/** Runs nothing that a repository configures, and prints names as they are. */
const plainDiff = [
  "--no-color",
  "--no-ext-diff",
  "--no-textconv",
  "--src-prefix=a/",
  "--dst-prefix=b/",
  "--relative",
  "--find-renames",
  "--unified=0",
];

/**
 * Returns the unified diff between two commits, below the folder; null when git fails, or the diff exceeds `bytesMax`.
 */
export function patchBetween(folder: string, from: GitCommit, to: GitCommit, bytesMax: number): Promise<string | null> {
  return git(folder, ["diff", ...plainDiff, from.id, to.id, "--", "."], { bytesMax });
}

/** A commit and its own unified diff. */
export interface CommitPatch {
  readonly commit: ChangeCommit;
  readonly patch: string;
}

const fields = ["%H", "%an", "%s", "%cI"];

/** Returns the commits between two that changed the folder, newest first, without merges; null when git fails. */
export async function patchesBetween(
  folder: string,
  from: GitCommit,
  to: GitCommit,
  { commitsMax, bytesMax }: { readonly commitsMax: number; readonly bytesMax: number },
): Promise<readonly CommitPatch[] | null> {
  const format = `--format=%x00${fields.join("%x1f")}%x1f`;
  const range = [`--max-count=${commitsMax}`, "--no-merges", format, `${from.id}..${to.id}`, "--", "."];
  const printed = await git(folder, ["log", "--patch", ...plainDiff, ...range], { bytesMax });
  return (
    printed?.split("\0").flatMap((entry) => {
      const [id, author, subject, at, patch] = entry.split("\x1f");
      if (!id || author === undefined || subject === undefined || at === undefined) return [];
      return [{ commit: { id, author, subject, at: new Date(at).toISOString() }, patch: patch ?? "" }];
    }) ?? null
  );
}

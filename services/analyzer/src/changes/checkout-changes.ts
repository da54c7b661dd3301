import { realpath } from "node:fs/promises";
import type { Hunk } from "@whence/engine";
import type { OrganizationStore, ReleaseScope, Scoped } from "@whence/storage";
import { type Checkout, folderOf } from "../sources/configured-checkouts.ts";
import { findCommit, type GitCommit } from "../sources/git-commit.ts";
import { patchBetween, patchesBetween } from "../sources/git-range.ts";
import { namedRelease } from "../sources/named-release.ts";
import { boundedChanges } from "./bounded-changes.ts";
import { changeLimits } from "./change-limits.ts";
import { filesOfPatch } from "./hunks.ts";
import type { ChangedFile, ChangeProvider, ReleaseChanges } from "./release-changes.ts";

/**
 * Reads the changes between two releases from the git checkouts in `WHENCE_SOURCES`, where both have tags or commits.
 */
export function checkoutChanges(
  checkouts: readonly Checkout[],
  control: OrganizationStore & Scoped<ReleaseScope>,
): ChangeProvider {
  return {
    async between({ scopeId, service, from, to }) {
      const folder = await folderOf(checkouts, { scopeId, service }, control);
      const root = folder === null ? null : await realpath(folder).catch(() => null);
      if (root === null) return null;
      const commitOf = async (release: string) =>
        findCommit(root, await namedRelease(control, { scopeId, service }, release));
      const [before, after] = [await commitOf(from), await commitOf(to)];
      return before && after ? gitChanges(root, before, after) : null;
    },
  };
}

async function gitChanges(root: string, from: GitCommit, to: GitCommit): Promise<ReleaseChanges | null> {
  const [patch, history] = await Promise.all([
    patchBetween(root, from, to, changeLimits.patchBytesMax),
    patchesBetween(root, from, to, { commitsMax: changeLimits.commitsMax, bytesMax: changeLimits.patchBytesMax }),
  ]);
  const files = patch === null ? null : filesOfPatch(patch);
  if (!files) return null;
  const changed = files.filter(({ hunks }) => hunks.length > 0);
  const made = (history ?? []).map(({ commit, patch: own }) => ({ commit, files: filesOfPatch(own) ?? [] }));
  return boundedChanges({
    version: `git ${from.name}..${to.name}`,
    commits: made.map(({ commit }) => commit),
    files: changed,
    filesChanged: changed.length,
    isWhole: true,
    builtFrom: null,
    commitOf: (path, hunk) =>
      made.find(({ files: own }) => own.some((file) => hasMade(file, path, hunk)))?.commit ?? null,
  });
}

/**
 * Whether a commit's own change of a file contains a line of the hunk; the newest such commit made the hunk what it is.
 */
function hasMade(file: ChangedFile, path: string, { removed, added }: Hunk): boolean {
  if (file.path !== path) return false;
  const isOf = (lines: readonly string[], own: readonly string[]): boolean =>
    lines.some((line) => line.trim() !== "" && own.includes(line));
  return file.hunks.some((one) => (added.length > 0 ? isOf(added, one.added) : isOf(removed, one.removed)));
}

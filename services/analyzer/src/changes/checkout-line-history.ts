import { realpath } from "node:fs/promises";
import type { ChangeCommit, LastChange } from "@whence/engine";
import type { OrganizationStore, ReleaseScope, Scoped } from "@whence/storage";
import { type Checkout, folderOf } from "../sources/configured-checkouts.ts";
import { findCommit, git } from "../sources/git-commit.ts";
import { namedRelease } from "../sources/named-release.ts";
import { changeLimits } from "./change-limits.ts";
import type { LineHistory } from "./line-history.ts";

/** Reads who changed lines last from the git checkouts in `WHENCE_SOURCES`. */
export function checkoutLineHistory(
  checkouts: readonly Checkout[],
  control: OrganizationStore & Scoped<ReleaseScope>,
): LineHistory {
  return {
    async lastChanges({ scopeId, service, release, files }) {
      const folder = await folderOf(checkouts, { scopeId, service }, control);
      const root = folder === null ? null : await realpath(folder).catch(() => null);
      if (root === null) return null;
      const commit = await findCommit(root, await namedRelease(control, { scopeId, service }, release));
      if (!commit) return null;
      const found = await Promise.all(
        files.map(async ({ path }) => {
          const args = ["blame", "--line-porcelain", commit.id, "--", path];
          const printed = await git(root, args, { bytesMax: changeLimits.patchBytesMax });
          return printed === null ? [] : changesIn(printed, path);
        }),
      );
      return found.flat();
    },
  };
}

/** Parses each line's commit from `git blame --line-porcelain`: a header, its fields, and the line after a tab. */
function changesIn(printed: string, path: string): LastChange[] {
  return printed.split(/^\t.*\n?/m).flatMap((entry) => {
    const [, id, line] = /^([0-9a-f]{40,64}) \d+ (\d+)/.exec(entry) ?? [];
    const field = (name: string) => new RegExp(`^${name} (.*)$`, "m").exec(entry)?.[1];
    const seconds = Number(field("committer-time"));
    if (id === undefined || !Number.isFinite(seconds)) return [];
    const at = new Date(seconds * 1_000).toISOString();
    const commit: ChangeCommit = { id, author: field("author") ?? "unknown", subject: field("summary") ?? "", at };
    return [{ path, from: Number(line), to: Number(line), commit }];
  });
}

import { releaseNames } from "@whence/protocol";
import type { ReleaseCommit, ReleaseCommitRepository, ReleaseScope, ReleaseWithCommits, Scoped } from "@whence/storage";
import { changeLimits } from "./change-limits.ts";
import { isCompared } from "./compared-path.ts";
import type { ChangeProvider, ReleaseChanges, ReleasePair } from "./release-changes.ts";

/**
 * Adds the commits that a build tool set to changes whose commits aren't known, such as those between uploads. Where
 * no provider knows the changes, the commits are all that is known of them.
 */
export function withReleaseCommits(provider: ChangeProvider, control: Scoped<ReleaseScope>): ChangeProvider {
  return {
    async between(pair, signal, failed) {
      const changes = await provider.between(pair, signal, failed);
      if (changes?.commitOf) return changes;
      const { newest, since } = await commitsOf(control, pair);
      if (!newest || (!changes && since.length === 0)) return changes;
      const { paths: _, ...builtFrom } = newest;
      return {
        ...(changes ?? unknownChanges(pair, since)),
        ...(since.length > 0 && { commits: since.slice(0, changeLimits.commitsMax).map(withoutPaths) }),
        builtFrom: changes?.builtFrom ?? builtFrom,
        commitOf: (path) => onlyCommitOf(path, since),
      };
    },
  };
}

interface SetCommits {
  /** The commit that the newer release was built from. */
  readonly newest: ReleaseCommit | undefined;
  /** Those that the older release doesn't have, newest first; empty when no one said what the older one has. */
  readonly since: readonly ReleaseCommit[];
}

async function commitsOf(control: Scoped<ReleaseScope>, pair: ReleasePair): Promise<SetCommits> {
  const { releaseCommits } = control.scope(pair.scopeId);
  const [before, after] = await Promise.all(
    [pair.from, pair.to].map((release) => releaseCommits.of(pair.service, releaseNames(release))),
  );
  const [last] = before ?? [];
  const [newest] = after ?? [];
  if (!after || !last) return { newest, since: [] };
  const at = after.findIndex(({ id }) => id === last.id);
  if (at !== -1) return { newest, since: after.slice(0, at) };
  return { newest, since: (await isLatestStep(releaseCommits, pair)) ? after : [] };
}

/**
 * Whether the newer release is the one whose commits were set last, and the older the one before it. Build tools set
 * what came since the release before: between others, commits would be missing, and after a rollback none is new.
 */
async function isLatestStep(commits: ReleaseCommitRepository, { from, to }: ReleasePair): Promise<boolean> {
  const lastBeside = async (release: string): Promise<ReleaseWithCommits | null> => {
    const found = await Promise.all(releaseNames(release).map((name) => commits.before(name)));
    return found.find((one) => one !== null) ?? null;
  };
  const [older, newer] = await Promise.all([lastBeside(to), lastBeside(from)]);
  if (!older || !newer || older.setAt > newer.setAt) return false;
  return releaseNames(from).includes(older.release) && releaseNames(to).includes(newer.release);
}

function unknownChanges({ from, to }: ReleasePair, since: readonly ReleaseCommit[]): ReleaseChanges {
  const version = `commits of ${to} since ${from}`;
  const committedPaths = pathsOf(since);
  return { version, commits: [], files: [], committedPaths, filesChanged: null, isWhole: false, builtFrom: null };
}

/** Returns the paths of files that commits change, compared ones alone; none where those of one commit aren't known. */
function pathsOf(commits: readonly ReleaseCommit[]): string[] {
  if (commits.some(({ paths }) => paths === null)) return [];
  return [...new Set(commits.flatMap(({ paths }) => paths ?? []))].filter(isCompared);
}

/** Returns the commit that changed a file of the service, whose folder in the repository isn't known. */
function onlyCommitOf(path: string, commits: readonly ReleaseCommit[]) {
  const touching = commits.filter(({ paths }) => paths?.some((one) => one === path || one.endsWith(`/${path}`)));
  const [commit] = touching;
  return commit && touching.length === 1 ? withoutPaths(commit) : null;
}

function withoutPaths({ paths: _, ...commit }: ReleaseCommit) {
  return commit;
}

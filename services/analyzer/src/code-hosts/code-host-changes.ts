import type { NamedRelease } from "@whence/protocol";
import type { ControlDb, IntegrationRepository } from "@whence/storage";
import { type CodeHostVendor, type CommitComparison, codeHosts, type OutboundContext } from "@whence/vendors";
import { boundedChanges } from "../changes/bounded-changes.ts";
import { changeLimits } from "../changes/change-limits.ts";
import { filesOfPatch } from "../changes/hunks.ts";
import type { ChangedFile, ChangeProvider, ReleaseChanges } from "../changes/release-changes.ts";
import { namedRelease } from "../sources/named-release.ts";
import { readRepository } from "./connected-repository.ts";
import { orNoted } from "./noted-failure.ts";

/** Compares the commits of two releases at the organization's connected code hosts. */
export function codeHostChanges(control: Pick<ControlDb, "scope">, context: OutboundContext): ChangeProvider {
  return {
    async between(pair, signal, failed) {
      const { integrations } = control.scope(pair.scopeId);
      const releases = await Promise.all([pair.from, pair.to].map((release) => namedRelease(control, pair, release)));
      for (const codeHost of codeHosts) {
        const asked = { service: pair.service, releases, context, signal };
        const host = { integrations, codeHost, clock: context.clock, failed };
        const changes = await orNoted(host, () => compare(integrations, codeHost, asked));
        if (changes) return changes;
      }
      return null;
    },
  };
}

interface Asked {
  readonly service: string;
  /** The older one first. */
  readonly releases: readonly NamedRelease[];
  readonly context: OutboundContext;
  readonly signal: AbortSignal;
}

function compare(
  integrations: IntegrationRepository,
  codeHost: CodeHostVendor,
  { service, releases, context, signal: stopped }: Asked,
): Promise<ReleaseChanges | null> {
  return readRepository(integrations, { codeHost, service }, context, stopped, async ({ host, repository }, signal) => {
    const commits = await Promise.all(releases.map((release) => host.findCommit(repository, release, signal)));
    const [before, after] = commits;
    if (!before || !after) return null;
    const comparison = await host.compare(repository, before.id, after.id, signal);
    return toChanges(`${host.vendor}, ${before.name}..${after.name}`, comparison);
  });
}

/** Converts a comparison. The commit of a hunk is known only if there is a single one. */
function toChanges(version: string, { commits, files }: CommitComparison): ReleaseChanges {
  const read = files.map(({ path, patch }) => (patch === null ? null : fileOf(path, patch)));
  const changed = read.filter((file): file is ChangedFile => file !== null && file.hunks.length > 0);
  const [commit] = commits;
  const only = commits.length === 1 ? (commit ?? null) : null;
  return boundedChanges({
    version,
    commits: newestFirst(commits).slice(0, changeLimits.commitsMax),
    files: changed,
    builtFrom: null,
    filesChanged: files.length,
    isWhole: !read.includes(null),
    commitOf: () => only,
  });
}

function newestFirst(commits: CommitComparison["commits"]): CommitComparison["commits"] {
  return commits.toSorted((left, right) => Date.parse(right.at) - Date.parse(left.at));
}

/** Returns null for a patch that can't be parsed. */
function fileOf(path: string, patch: string): ChangedFile | null {
  const [file] = filesOfPatch(`--- a/${path}\n+++ b/${path}\n${patch}`) ?? [];
  return file ?? null;
}

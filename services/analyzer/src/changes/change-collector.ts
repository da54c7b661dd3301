import { createHash } from "node:crypto";
import {
  besideCode,
  type ChangeCommit,
  type Collector,
  type DeployFact,
  type Hunk,
  hunkText,
  type Observation,
  observeData,
  type ReleaseChange,
  type ReleaseComparison,
} from "@whence/engine";
import { clockErrorMs } from "@whence/protocol";
import type { JudgedReleases } from "../collectors/deploys.ts";
import { busyDeadlineMs } from "../collectors/shared-reads.ts";
import { changeLimits } from "./change-limits.ts";
import type { ChangeProvider, ReleaseChanges } from "./release-changes.ts";

/** Reads the changes of a scope's releases. */
export interface ScopedChanges {
  readonly scopeId: string;
  readonly changes: ChangeProvider;
}

const excerptUnitsMax = 4_000;
const suspicion: readonly DeployFact["verdict"][] = ["suspect", "near"];

/**
 * Collects what each release that isn't ruled out changed: the service's own, those of the services it calls, and those
 * of its callers.
 */
export function changeCollector(judged: JudgedReleases, { scopeId, changes }: ScopedChanges): Collector {
  return {
    name: "changes",
    deadlineMs: busyDeadlineMs,
    async collect(findings, signal, missed) {
      const deploys = (await judged(findings))
        .map(({ deploy }) => deploy)
        .filter(({ verdict }) => verdict !== "ruled-out");
      const ordered = deploys.toSorted(
        (left, right) => suspicion.indexOf(left.verdict) - suspicion.indexOf(right.verdict),
      );
      const observed = ordered.slice(0, changeLimits.releasesMax).map(async (deploy) => {
        const { service, release: to, previous: from } = deploy;
        if (from === null) return [];
        const within = AbortSignal.any([signal, AbortSignal.timeout(changeLimits.readWithinMs)]);
        const found = await changes.between({ scopeId, service, from, to }, within, (vendor, why) =>
          missed(why, vendor),
        );
        return found ? observationsOf(found, { ...deploy, previous: from }) : [];
      });
      return (await Promise.all(observed)).flat();
    },
  };
}

/** A deploy that came after another release. */
type Compared = DeployFact & { readonly previous: string };

function observationsOf(found: ReleaseChanges, deploy: Compared): Observation[] {
  const { service, release, previous, at: releasedAt } = deploy;
  const base = { service, release, previous, releasedAt };
  const commits = found.commits.filter((commit) => isBefore(commit, deploy)).slice(0, changeLimits.commitsShownMax);
  const changed = found.files.flatMap(({ path, hunks }) => hunks.map((hunk) => ({ path, hunk })));
  const { filesChanged: files, isWhole } = found;
  const comparison: ReleaseComparison = { ...base, commits, files, isWhole, ...besideCode(changed) };
  const paths = found.files.map(({ path }) => path);
  const summary = observeData(
    { kind: "telemetry", name: "changes" },
    { ...comparison, paths },
    {
      observed_at: releasedAt,
      fact: { kind: "comparison", comparison },
    },
  );
  const hunks = found.files.flatMap(({ path, hunks: own }) =>
    own.map((hunk) => observeHunk({ ...base, path, hunk, commit: commitOf(path, hunk, found, deploy) }, found.version)),
  );
  return [summary, ...hunks];
}

function commitOf(path: string, hunk: Hunk, found: ReleaseChanges, deploy: Compared): ReleaseChange["commit"] {
  const made = found.commitOf?.(path, hunk) ?? null;
  if (made && isBefore(made, deploy)) return { ...made, of: "change" };
  const built = found.builtFrom;
  return built && isBefore(built, deploy) ? { ...built, of: "release" } : null;
}

/**
 * Whether a commit is older than its release; a later one was rewritten or doesn't belong to it, and isn't mentioned.
 */
function isBefore({ at }: ChangeCommit, { at: releasedAt }: Compared): boolean {
  return Date.parse(at) <= Date.parse(releasedAt) + clockErrorMs;
}

function observeHunk(change: ReleaseChange, version: string): Observation {
  const text = hunkText(change.hunk);
  return {
    source: { kind: "source_file", name: change.path, version },
    observed_at: change.releasedAt,
    excerpt: text.slice(0, excerptUnitsMax).replace(/[\uD800-\uDBFF]$/, ""),
    range: null,
    sha256: createHash("sha256").update(text, "utf8").digest("hex"),
    location: { file: change.path, line: Math.max(1, change.hunk.to), function: null },
    fact: { kind: "release-change", change },
  };
}

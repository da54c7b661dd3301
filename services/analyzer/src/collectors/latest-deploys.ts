import type { KnownRelease } from "../releases/known-releases.ts";
import type { Deploy } from "./judge-release.ts";
import { earlierMs } from "./judge-release.ts";

/** A release older than this isn't a recent deploy. */
export const recentMs = 24 * 3_600_000;

/**
 * The recent deploys of a service before a failure: the last release that sent telemetry, and the last one that was
 * reported as live since and hasn't sent any yet.
 */
export function latestDeploys(releases: readonly KnownRelease[], service: string, failedAt: string): Deploy[] {
  const of = releases
    .filter((one) => one.service === service && Date.parse(one.firstAt) <= Date.parse(failedAt) + earlierMs)
    .toSorted((left, right) => Date.parse(right.firstAt) - Date.parse(left.firstAt));
  const [latest] = of;
  const lastSeen = of.find(({ isSeen }) => isSeen);
  return [...new Set([latest, lastSeen])].flatMap((one) => (one ? deployOf(one, of, failedAt) : []));
}

/** The first release that is known isn't a deploy, unless it was reported. One that is back replaced the one before it. */
function deployOf(latest: KnownRelease, all: readonly KnownRelease[], failedAt: string): Deploy[] {
  if (Date.parse(failedAt) - Date.parse(latest.firstAt) > recentMs) return [];
  const before = all.slice(all.indexOf(latest) + 1);
  if (latest.isBack) return [{ latest, previous: before[0] ?? null }];
  const seen = before.find(({ isSeen }) => isSeen) ?? null;
  if (latest.reported === null) return seen ? [{ latest, previous: seen }] : [];
  // What was reported may never have run, or runs under another name: what ran comes first.
  return [{ latest, previous: seen ?? before[0] ?? null }];
}

import { comesAfter, releaseMoment } from "@whence/engine";
import { dayMs } from "@whence/protocol";
import type { KnownRelease } from "../releases/known-releases.ts";
import type { Deploy } from "./judge-release.ts";

/** A release older than this isn't a recent deploy. */
export const recentMs = dayMs;

/**
 * Returns the recent deploys of a service before a failure: the last release that sent telemetry, and the last one
 * reported as live since that hasn't sent any yet. `beganAt` is when the failure began, if earlier than `failedAt`: a
 * later release, such as a hotfix or the one that a team went back to, doesn't hide the one before, even if the clocks
 * aren't exact enough to know that it is later.
 */
export function latestDeploys(
  releases: readonly KnownRelease[],
  service: string,
  failedAt: string,
  beganAt = failedAt,
): Deploy[] {
  const all = releases
    .filter((one) => one.service === service)
    .toSorted((left, right) => Date.parse(right.firstAt) - Date.parse(left.firstAt));
  const latest = [failedAt, beganAt].flatMap((moment) => {
    const of = all.filter((one) => !isReleasedAfter(one, moment));
    const earlier = of.filter(({ firstAt }) => Date.parse(firstAt) <= Date.parse(moment));
    return [of, earlier].flatMap((some) => [some[0], some.find(({ isSeen }) => isSeen)]);
  });
  return [...new Set(latest)].flatMap((one) => (one ? deployOf(one, all, failedAt) : []));
}

function isReleasedAfter({ firstAt: at, isStartKnown }: KnownRelease, moment: string): boolean {
  return comesAfter(releaseMoment({ at, isStartKnown }), { at: Date.parse(moment), errorMs: 0 });
}

/**
 * Returns a deploy. The first known release isn't one, unless it was reported. One that is back replaced the one before
 * it.
 */
function deployOf(latest: KnownRelease, all: readonly KnownRelease[], failedAt: string): Deploy[] {
  if (Date.parse(failedAt) - Date.parse(latest.firstAt) > recentMs) return [];
  const at = all.indexOf(latest);
  const before = all.slice(at + 1);
  const later = all.slice(0, at).flatMap(({ release }) => (release === latest.release ? [] : release));
  if (latest.isBack) return [{ latest, previous: before[0] ?? null, later }];
  const seen = before.find(({ isSeen }) => isSeen) ?? null;
  if (latest.reported === null) return seen ? [{ latest, previous: seen, later }] : [];
  // A reported release may never have run, or run under another name, so releases that ran come first.
  return [{ latest, previous: seen ?? before[0] ?? null, later }];
}

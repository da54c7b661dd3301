import type { IncidentThresholds } from "@whence/protocol";
import type { FailureHistory, KnownFailure } from "@whence/storage";
import type { FailureGroup } from "./failure-group.ts";
import { usualGapMs } from "./remember.ts";

const hourMs = 3_600_000;
/** A failure that comes every so often has not gone for good before it stayed away this many times as long. */
const gapsOfQuiet = 5;
/** In another release it is away after less: it was away since before that release, or nearly. */
const releaseQuietMinMs = hourMs;
/** As long as nobody knows how often it comes. */
const releaseQuietUnknownMs = 24 * hourMs;
/** Fewer than this in a window are no spike, whatever they are compared with. */
export const spikeEventsMin = 20;
/** What is younger is on its way to whatever rate it will have. */
const spikeAgeMinMs = hourMs;
/** One spike, not one for each of its waves. */
export const spikeEveryMs = 6 * hourMs;

/** Why a failure is to open an incident. */
export interface Opening {
  readonly rule: "new-failure" | "regressed-after-quiet" | "regressed-in-release" | "spike" | "no-longer-explained";
  readonly reason: string;
}

/**
 * Whether these occurrences are worth an incident by themselves: never seen before, back after having been away, or far
 * more than ever. What comes at its own pace is not, however long it goes on. `history` counts them already.
 */
export function openingOf(
  known: KnownFailure | null,
  group: FailureGroup,
  history: FailureHistory,
  thresholds: IncidentThresholds,
): Opening | null {
  if (!known?.incidentId) {
    const since = known ? `, and opened no incident since ${known.firstSeen}` : "";
    return { rule: "new-failure", reason: `the failure was never seen before${since}` };
  }
  return (
    regressedAfterQuiet(known, group, thresholds) ??
    regressedInRelease(known, group) ??
    spike(known, history, thresholds)
  );
}

function regressedAfterQuiet(known: KnownFailure, group: FailureGroup, thresholds: IncidentThresholds): Opening | null {
  const quiet = quietMs(known, group);
  const needed = Math.max(thresholds.quiet_hours * hourMs, gapsOfQuiet * (usualGapMs(known) ?? 0));
  if (quiet < needed) return null;
  const reason = `the failure is back after ${spanText(quiet)} without it (last seen ${known.lastSeen}, incident ${known.incidentId})`;
  return { rule: "regressed-after-quiet", reason };
}

function regressedInRelease(known: KnownFailure, group: FailureGroup): Opening | null {
  const before = known.history.release;
  if (before === "" || group.release === "" || group.release === before) return null;
  const gap = usualGapMs(known);
  const needed = gap === null ? releaseQuietUnknownMs : Math.max(releaseQuietMinMs, gapsOfQuiet * gap);
  const quiet = quietMs(known, group);
  if (quiet < needed) return null;
  const reason = `the failure is back in release ${group.release} after ${spanText(quiet)} without it; it was last seen in ${before} (incident ${known.incidentId})`;
  return { rule: "regressed-in-release", reason };
}

function spike(known: KnownFailure, history: FailureHistory, thresholds: IncidentThresholds): Opening | null {
  const { window } = history;
  const limit = Math.max(spikeEventsMin, thresholds.spike_factor * Math.max(window.peak, 1));
  const isYoung = window.start - Date.parse(known.firstSeen) < spikeAgeMinMs;
  const isRecent = history.openedAt !== null && window.start - Date.parse(history.openedAt) < spikeEveryMs;
  if (isYoung || isRecent || window.count < limit) return null;
  const minutes = thresholds.window_minutes;
  const reason = `the failure came ${window.count} times within ${minutes} minutes, and at most ${Math.round(window.peak)} times before (incident ${known.incidentId})`;
  return { rule: "spike", reason };
}

function quietMs(known: KnownFailure, group: FailureGroup): number {
  return (group.times[0] ?? 0) - Date.parse(known.lastSeen);
}

function spanText(ms: number): string {
  const hours = Math.round(ms / hourMs);
  return hours < 48 ? `${hours} hours` : `${Math.round(hours / 24)} days`;
}

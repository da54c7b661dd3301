import { hourMs, type IncidentThresholds } from "@whence/protocol";
import type { FailureHistory, KnownFailure } from "@whence/storage";
import type { FailureGroup } from "./failure-group.ts";
import { usualGapMs } from "./remember.ts";

/** A recurring failure counts as gone once it has been away this many times its usual gap. */
const gapsOfQuiet = 5;
/** Minimum quiet time in another release, for a failure that has been absent since about before that release. */
const releaseQuietMinMs = hourMs;
/** Replaces the quiet time while the usual gap is unknown. */
const releaseQuietUnknownMs = 24 * hourMs;
/** Fewer events than this in a window are never a spike. */
export const spikeEventsMin = 20;
/** A younger failure hasn't reached its usual rate yet. */
const spikeAgeMinMs = hourMs;
/** The least time between two spike incidents, so that a spike in waves opens one. */
export const spikeEveryMs = 6 * hourMs;

/** Why a failure opens an incident. */
export interface Opening {
  readonly rule: "new-failure" | "regressed-after-quiet" | "regressed-in-release" | "spike" | "no-longer-explained";
  readonly reason: string;
}

/**
 * Returns why these occurrences need an incident of their own: they are the first, the failure is back, or it spikes.
 * Null for a failure that keeps recurring at its usual rate. `history` includes the occurrences.
 */
export function openingOf(
  known: KnownFailure | null,
  group: FailureGroup,
  history: FailureHistory,
  thresholds: IncidentThresholds,
): Opening | null {
  if (!known?.incidentId) {
    const since = known ? `, or has opened no incident since ${known.firstSeen}` : "";
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
  const reason = `the failure is back after ${spanText(quiet)} (last seen ${known.lastSeen}, incident ${known.incidentId})`;
  return { rule: "regressed-after-quiet", reason };
}

function regressedInRelease(known: KnownFailure, group: FailureGroup): Opening | null {
  const before = known.history.release;
  if (before === "" || group.release === "" || group.release === before) return null;
  const gap = usualGapMs(known);
  const needed = gap === null ? releaseQuietUnknownMs : Math.max(releaseQuietMinMs, gapsOfQuiet * gap);
  const quiet = quietMs(known, group);
  if (quiet < needed) return null;
  const reason = `the failure is back in release ${group.release} after ${spanText(quiet)}; it was last seen in ${before} (incident ${known.incidentId})`;
  return { rule: "regressed-in-release", reason };
}

function spike(known: KnownFailure, history: FailureHistory, thresholds: IncidentThresholds): Opening | null {
  const { window } = history;
  const isYoung = window.start - Date.parse(known.firstSeen) < spikeAgeMinMs;
  const isRecent = history.openedAt !== null && window.start - Date.parse(history.openedAt) < spikeEveryMs;
  if (isYoung || isRecent || !isRising(history, thresholds)) return null;
  const minutes = thresholds.window_minutes;
  const reason = `the failure occurred ${window.count} times within ${minutes} minutes, and at most ${Math.round(window.peak)} times before (incident ${known.incidentId})`;
  return { rule: "spike", reason };
}

/** Whether the latest window has as many occurrences as a spike. */
export function isRising({ window }: FailureHistory, thresholds: IncidentThresholds): boolean {
  return window.count >= Math.max(spikeEventsMin, thresholds.spike_factor * Math.max(window.peak, 1));
}

function quietMs(known: KnownFailure, group: FailureGroup): number {
  return (group.times[0] ?? 0) - Date.parse(known.lastSeen);
}

function spanText(ms: number): string {
  const hours = Math.round(ms / hourMs);
  return hours < 48 ? `${hours} hours` : `${Math.round(hours / 24)} days`;
}

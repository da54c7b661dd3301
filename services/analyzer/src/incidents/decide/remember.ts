import { dayMs, minuteMs } from "@whence/protocol";
import type { FailureHistory, KnownFailure, RateWindow } from "@whence/storage";
import type { FailureGroup } from "./failure-group.ts";

/** Releases remembered of a failure: beyond them, another one is no news. */
const releasesMax = 20;
/** Half-life of a window's highest count. */
const peakHalfLifeMs = 7 * dayMs;
/** The usual gap is known from this many minutes with an occurrence on. */
const gapMinutesMin = 3;

/** A failure's history including these occurrences, in windows of `windowMs`. */
export function remember(known: KnownFailure | null, group: FailureGroup, windowMs: number): FailureHistory {
  const before = known?.history ?? null;
  const lastSeen = known ? Date.parse(known.lastSeen) : Number.NEGATIVE_INFINITY;
  const minutes = new Set(group.times.map(minuteOf).filter((minute) => minute > minuteOf(lastSeen)));
  const isLatest = (group.times.at(-1) ?? 0) >= lastSeen;
  return {
    events: (before?.events ?? 0) + group.times.length,
    minutes: (before?.minutes ?? 0) + minutes.size,
    release: isLatest || !before ? group.release : before.release,
    releases: withRelease(before?.releases ?? [], group.release),
    openedAt: before?.openedAt ?? null,
    deferred: before?.deferred ?? null,
    ...(before?.apart ? { apart: true } : {}),
    window: group.times.reduce(counted, sameLength(before?.window, windowMs)),
  };
}

function withRelease(releases: readonly string[], release: string): readonly string[] {
  const isKept = release === "" || releases.includes(release) || releases.length === releasesMax;
  return isKept ? releases : [...releases, release];
}

/** How long a failure usually stays away, between the minutes in which it was seen. Null when it was seen too rarely. */
export function usualGapMs({ firstSeen, lastSeen, history }: KnownFailure): number | null {
  if (history.minutes < gapMinutesMin) return null;
  return (Date.parse(lastSeen) - Date.parse(firstSeen)) / (history.minutes - 1);
}

/** Occurrences in one window's length up to the latest moment, estimated across the window's start. */
export function recentEvents({ ms, start, count, before }: RateWindow, now: number): number {
  const passed = Math.min(Math.max((now - start) / ms, 0), 1);
  return count + Math.floor(before * (1 - passed));
}

function sameLength(window: RateWindow | undefined, ms: number): RateWindow {
  return window?.ms === ms ? window : { ms, start: 0, count: 0, before: 0, peak: 0 };
}

function counted(window: RateWindow, at: number): RateWindow {
  const start = Math.floor(at / window.ms) * window.ms;
  if (start === window.start) return { ...window, count: window.count + 1 };
  // Late: its window is closed, and one more no longer changes a decision.
  if (start < window.start)
    return start === window.start - window.ms ? { ...window, before: window.before + 1 } : window;
  const passed = start - window.start;
  return {
    ms: window.ms,
    start,
    count: 1,
    before: passed === window.ms ? window.count : 0,
    peak: Math.max(window.peak * 0.5 ** (passed / peakHalfLifeMs), window.count),
  };
}

function minuteOf(ms: number): number {
  return Math.floor(ms / minuteMs);
}

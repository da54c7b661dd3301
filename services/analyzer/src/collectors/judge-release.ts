import type { DeployFact } from "@whence/engine";
import { clockErrorMs } from "@whence/protocol";
import type { FailureTotals, ReleaseLife, SpreadCount } from "@whence/storage";
import { binomialTail } from "./statistics.ts";

/** The release that a service was given last, and the one before it. */
export interface Deploy {
  readonly latest: ReleaseLife;
  readonly previous: ReleaseLife;
}

const minuteMs = 60_000;
/** A failure that begins within this time after a release is near it; later, all was well in it for too long. */
const nearMs = 10 * minuteMs;
/** Clocks differ, and a process runs before it is first seen: so much earlier isn't before. */
export const earlierMs = clockErrorMs;
/** Below this a difference between releases is not by chance, */
const chanceMax = 0.01;
/** and it is large enough to blame a release from this factor on. */
const factorMin = 3;
/** Failures come in bursts: more of them than this say nothing more. */
const countedMax = 30;

/**
 * Judges the service's own new release. It is a suspect when the failures are in it alone, or many times as often, while
 * the old one ran beside it or failed less before: then nothing else can have changed for one of them. Where all
 * processes got it at once, that it began soon after is near, and no more: whatever else changed then could be the
 * cause. It is ruled out by failures that were there before at such a rate, and by failures that began long after.
 */
export function judgeOwn(
  { latest, previous }: Deploy,
  spread: readonly SpreadCount[],
  totals: FailureTotals,
): DeployFact {
  const byRelease = spread.filter(({ dimension }) => dimension === "release");
  const inNew = sumOf(byRelease.filter(({ value }) => value === latest.release));
  const inOld = sumOf(byRelease.filter(({ value }) => value !== latest.release));
  const ran = { now: ranFor(latest, inNew.heartbeats), before: ranFor(previous, inOld.heartbeats) };
  const isInNewAlone = inNew.failing > 0 && inOld.failing === 0 && onlyRelease(totals, latest.release);
  const deploy = {
    ...base({ latest, previous }, totals),
    // A release that failed was running then, whenever it was first seen otherwise.
    at: isInNewAlone ? earlierOf(latest.firstAt, totals.firstSeen) : latest.firstAt,
    ...{ own: true, answeredLast: false },
    counts: {
      ...{ inRelease: inNew.failing, inReleaseMinutes: ran.now },
      ...{ inOthers: inOld.failing, inOthersMinutes: ran.before },
    },
  };
  const clean = Date.parse(totals.firstSeen) - Date.parse(latest.firstAt);
  const wasBefore = inOld.failing > 0 || clean < -earlierMs;
  if (inNew.failing === 0) return { ...deploy, verdict: "ruled-out", reason: { kind: "none-in-release" } };
  const factor = inNew.failing / ran.now / (Math.max(inOld.failing, 0.5) / ran.before);
  const isMore =
    excess(inNew.failing, inOld.failing, ran.now / (ran.now + ran.before)) <= chanceMax && factor >= factorMin;
  if (wasBefore) {
    if (isMore && inOld.failing > 0) return { ...deploy, verdict: "suspect", reason: { kind: "more-often", factor } };
    return { ...deploy, verdict: "ruled-out", reason: { kind: "there-before" } };
  }
  if (isMore && ranBeside({ latest, previous }, totals))
    return { ...deploy, verdict: "suspect", reason: { kind: "only-in-release" } };
  if (clean <= nearMs) return { ...deploy, verdict: "near", reason: { kind: "soon-after" } };
  return { ...deploy, verdict: "ruled-out", reason: { kind: "long-after" } };
}

/** Judges another service's release: only the times can be compared. */
export function judgeOther({ latest, previous }: Deploy, totals: FailureTotals, answeredLast: boolean): DeployFact {
  const deploy = { ...base({ latest, previous }, totals), own: false, answeredLast, counts: null };
  const after = Date.parse(totals.firstSeen) - Date.parse(latest.firstAt);
  if (after < -earlierMs) return { ...deploy, verdict: "ruled-out", reason: { kind: "there-before" } };
  if (after > nearMs) return { ...deploy, verdict: "ruled-out", reason: { kind: "long-after" } };
  return { ...deploy, verdict: "near", reason: { kind: "soon-after" } };
}

function onlyRelease({ releases }: FailureTotals, release: string): boolean {
  return releases.length === 1 && releases[0] === release;
}

function earlierOf(left: string, right: string): string {
  return Date.parse(left) <= Date.parse(right) ? left : right;
}

/** Whether the old release was heard while the failures came: of a rolling deploy, a canary, half of a fleet. */
function ranBeside({ previous }: Deploy, { firstSeen }: FailureTotals): boolean {
  return Date.parse(previous.lastAt) >= Date.parse(firstSeen) + minuteMs;
}

function base({ latest: { service, release, firstAt: at }, previous }: Deploy, { firstSeen }: FailureTotals) {
  return { service, release, at, previous: previous.release, firstSeen };
}

function sumOf(counts: readonly SpreadCount[]): Pick<SpreadCount, "failing" | "heartbeats"> {
  return {
    failing: counts.reduce((sum, { failing }) => sum + failing, 0),
    heartbeats: counts.reduce((sum, { heartbeats }) => sum + heartbeats, 0),
  };
}

/** Minutes of processes: their heartbeats, or, when there are none, how long the release was heard of. */
function ranFor({ firstAt, lastAt }: ReleaseLife, heartbeats: number): number {
  return Math.max(heartbeats, (Date.parse(lastAt) - Date.parse(firstAt)) / minuteMs, 0.5);
}

/** How probable so large a part in the new release is by chance, given for how much of the time it ran. */
function excess(inNew: number, inOld: number, shareOfNew: number): number {
  const thinned = Math.min(1, countedMax / Math.max(1, inNew + inOld));
  return binomialTail(Math.round(inNew * thinned), Math.round((inNew + inOld) * thinned), shareOfNew);
}

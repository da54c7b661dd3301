import type { DeployFact } from "@whence/engine";
import { inlineCode } from "@whence/engine";
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
/** Times of a client and of the service differ, and a process lives before it is heard of: so much earlier is not before. */
export const earlierMs = 2 * minuteMs;
/** Below this a difference between releases is not by chance, */
const chanceMax = 0.01;
/** and it is large enough to blame a release from this factor on. */
const factorMin = 3;
/** Failures come in bursts: more of them than this say nothing more. */
const countedMax = 30;

/**
 * Whether the service's own new release is to blame. Guilty is what fails in it alone, or many times as often, while
 * the old one went on running beside it, or failed less before: then nothing else can have changed for one of them.
 * Where all processes got it at once, that it began soon after is near, and no more: whatever else changed then could
 * be it. It is acquitted of what was there before at such a rate, and of what began long after.
 */
export function judgeOwn(
  { latest, previous }: Deploy,
  spread: readonly SpreadCount[],
  totals: FailureTotals,
): DeployFact {
  const deploy = { ...base({ latest, previous }), own: true, answeredLast: false };
  const byRelease = spread.filter(({ dimension }) => dimension === "release");
  const inNew = sumOf(byRelease.filter(({ value }) => value === latest.release));
  const inOld = sumOf(byRelease.filter(({ value }) => value !== latest.release));
  const ran = { now: ranFor(latest, inNew.heartbeats), before: ranFor(previous, inOld.heartbeats) };
  const counted = `${inNew.failing} events in ${inlineCode(latest.release)} over ${duration(ran.now)} of its processes, ${inOld.failing} in others over ${duration(ran.before)}`;
  const said = (verdict: DeployFact["verdict"], because: string): DeployFact => ({
    ...deploy,
    ...{ verdict, because: `${because}: ${counted}` },
  });
  const clean = Date.parse(totals.firstSeen) - Date.parse(latest.firstAt);
  const wasBefore = inOld.failing > 0 || clean < -earlierMs;
  if (inNew.failing === 0) return said("innocent", "none of its events is in it");
  const factor = inNew.failing / ran.now / (Math.max(inOld.failing, 0.5) / ran.before);
  const isMore =
    excess(inNew.failing, inOld.failing, ran.now / (ran.now + ran.before)) <= chanceMax && factor >= factorMin;
  if (wasBefore) {
    if (isMore && inOld.failing > 0) return said("guilty", `${factor.toFixed(0)} times as often as in the others`);
    return said("innocent", `it was there before, since ${totals.firstSeen}`);
  }
  if (isMore && ranBeside({ latest, previous }, totals))
    return said("guilty", "in it alone, while the other ran beside it");
  if (clean <= nearMs) return said("near", sayNear(latest, totals));
  return said("innocent", `all was well in it for ${duration(clean / minuteMs)}`);
}

/** Of another service only the times can be compared. */
export function judgeOther({ latest, previous }: Deploy, totals: FailureTotals, answeredLast: boolean): DeployFact {
  const deploy = { ...base({ latest, previous }), own: false, answeredLast };
  const after = Date.parse(totals.firstSeen) - Date.parse(latest.firstAt);
  if (after < -earlierMs) {
    return { ...deploy, verdict: "innocent", because: `the failure was there before, since ${totals.firstSeen}` };
  }
  if (after > nearMs) {
    return { ...deploy, verdict: "innocent", because: `all was well for ${duration(after / minuteMs)} after it` };
  }
  return { ...deploy, verdict: "near", because: sayNear(latest, totals) };
}

/** Whether the old release was heard while the failures came: of a rolling deploy, a canary, half of a fleet. */
function ranBeside({ previous }: Deploy, { firstSeen }: FailureTotals): boolean {
  return Date.parse(previous.lastAt) >= Date.parse(firstSeen) + minuteMs;
}

function base({ latest: { service, release, firstAt: at }, previous }: Deploy) {
  return { service, release, at, previous: previous.release };
}

function sayNear({ firstAt }: ReleaseLife, { firstSeen }: FailureTotals): string {
  const after = Math.max(0, Date.parse(firstSeen) - Date.parse(firstAt)) / minuteMs;
  return `the failure was first seen ${duration(after)} after it`;
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

function duration(minutes: number): string {
  if (minutes < 1) return "less than a minute";
  return minutes < 180 ? `${minutes.toFixed(0)} min` : `${(minutes / 60).toFixed(0)} h`;
}

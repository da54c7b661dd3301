import { comesAfter, type DeployFact, failureMoment, releaseMoment } from "@whence/engine";
import { minuteMs } from "@whence/protocol";
import type { FailureTotals, ReleaseLife, SpreadCount } from "@whence/storage";
import type { KnownRelease } from "../releases/known-releases.ts";
import { binomialTail } from "./statistics.ts";

/** The last release of a service, and the one before it; null when none is known. */
export interface Deploy {
  readonly latest: KnownRelease;
  readonly previous: KnownRelease | null;
  /** Names of releases that began after `latest`, whose failures say nothing about it. */
  readonly later: readonly string[];
}

/**
 * A failure that begins within this time after a release is near it; later, the release had been healthy for too long.
 */
const nearMs = 10 * minuteMs;
/** Longer, since an alert fires some time after what it measures began, and people notice even later. */
const nearAnnouncedMs = 30 * minuteMs;
/** In its first minutes, a failure becomes more frequent whatever is released: it is still setting in. */
export const settingInMs = 10 * minuteMs;
/** Below this probability, a difference between releases isn't due to chance, */
const chanceMax = 0.01;
/** and from this factor on it is large enough to suspect a release. */
const factorMin = 3;
/** Failures occur in bursts, so more than this are no further proof. */
const countedMax = 30;

/**
 * Judges the service's own new release. It is a suspect when the failures are only in it, or many times as frequent,
 * while the old one ran in parallel or failed less before: nothing else can have changed for only one of them. If all
 * processes got it at once, a failure that began soon after only makes it near, because something else may have changed
 * at the same time. Failures that had occurred at the same rate before, or that began long after, rule it out.
 */
export function judgeOwn(
  { latest, previous, later }: Deploy,
  spread: readonly SpreadCount[],
  totals: FailureTotals,
  rose: FailureBegan | null,
): DeployFact {
  const byRelease = spread.filter(({ dimension, value }) => dimension === "release" && !later.includes(value));
  const inNew = sumOf(byRelease.filter(({ value }) => value === latest.release));
  const inOld = sumOf(byRelease.filter(({ value }) => value !== latest.release));
  const ran = { now: ranFor(latest, inNew.heartbeats), before: ranFor(previous, inOld.heartbeats) };
  const isInNewAlone = inNew.failing > 0 && inOld.failing === 0 && onlyRelease(totals, latest.release, later);
  const deploy = {
    ...base({ latest, previous }, totals),
    // A release that failed was running then, whenever else it was first seen.
    at: isInNewAlone && !latest.isBack ? earlierOf(latest.firstAt, totals.firstSeen) : latest.firstAt,
    own: true,
    answeredLast: false,
    counts: {
      inRelease: inNew.failing,
      inReleaseMinutes: ran.now,
      inOthers: inOld.failing,
      inOthersMinutes: ran.before,
    },
  };
  const clean = Date.parse(totals.firstSeen) - Date.parse(latest.firstAt);
  const wasBefore = inOld.failing > 0 || cameAfter(latest, totals);
  if (inNew.failing === 0) return { ...deploy, verdict: "ruled-out", reason: { kind: "none-in-release" } };
  const isMore = isMoreOften(
    { failing: inNew.failing, ranFor: ran.now },
    { failing: inOld.failing, ranFor: ran.before },
  );
  if (wasBefore) {
    if (latest.isBack && isOnlyOutside(previous, totals))
      return { ...deploy, verdict: isMore ? "suspect" : "near", reason: { kind: "back-with-it" } };
    const mayHaveRisen = -clean >= settingInMs && !(rose && cameAfter(latest, rose));
    const factor = inNew.failing / ran.now / (inOld.failing / ran.before);
    if (isMore && inOld.failing > 0 && mayHaveRisen)
      return { ...deploy, verdict: "suspect", reason: { kind: "more-often", factor } };
    return { ...deploy, verdict: "ruled-out", reason: { kind: "there-before" } };
  }
  if (isMore && ranBeside(previous, totals))
    return { ...deploy, verdict: "suspect", reason: { kind: "only-in-release" } };
  if (clean <= nearMs) {
    const previousRan = ranWithout({ latest, previous }, byRelease, { failing: inNew.failing, ranFor: ran.now });
    return { ...deploy, ...previousRan, verdict: "near", reason: { kind: "soon-after" } };
  }
  return { ...deploy, verdict: "ruled-out", reason: { kind: "long-after" } };
}

/** When a failure began, as in {@link DeployFact}. */
export interface FailureBegan extends Pick<FailureTotals, "firstSeen">, Pick<DeployFact, "began"> {}

/** The owner of a release that is judged by its time. */
type Whose = Pick<DeployFact, "own" | "answeredLast">;

/**
 * Judges a release by its time alone: another service's, one that has sent nothing yet, or any release when the failure
 * was announced. A failure that had occurred before rules a release out, unless it `rose` soon after.
 */
export function judgeByTime(deploy: Deploy, began: FailureBegan, whose: Whose, rose: FailureBegan | null): DeployFact {
  const judged = judgeByBeginning(deploy, began, whose);
  const byRise = rose && judged.reason.kind === "there-before" ? judgeByBeginning(deploy, rose, whose) : judged;
  return byRise.verdict === "near" ? byRise : judged;
}

function judgeByBeginning({ latest, previous }: Omit<Deploy, "later">, totals: FailureBegan, whose: Whose): DeployFact {
  const deploy = { ...base({ latest, previous }, totals), ...whose, counts: null };
  const after = Date.parse(totals.firstSeen) - Date.parse(latest.firstAt);
  if (cameAfter(latest, totals)) return { ...deploy, verdict: "ruled-out", reason: { kind: "there-before" } };
  if (after > (totals.began === "announced" ? nearAnnouncedMs : nearMs))
    return { ...deploy, verdict: "ruled-out", reason: { kind: "long-after" } };
  return { ...deploy, verdict: "near", reason: { kind: "soon-after" } };
}

/** Whether a release began after the failure that it would have to explain. */
function cameAfter({ firstAt: at, isStartKnown }: KnownRelease, began: FailureBegan): boolean {
  return comesAfter(releaseMoment({ at, isStartKnown }), failureMoment(began));
}

/** Whether none of the failures is in a release that ran and sent telemetry. */
function isOnlyOutside(previous: KnownRelease | null, { releases }: FailureTotals): boolean {
  return previous?.isSeen === true && !releases.includes(previous.release);
}

function onlyRelease({ releases }: FailureTotals, release: string, later: readonly string[]): boolean {
  const until = releases.filter((one) => !later.includes(one));
  return until.length === 1 && until[0] === release;
}

function earlierOf(left: string, right: string): string {
  return Date.parse(left) <= Date.parse(right) ? left : right;
}

/** Whether the old release was still running while the failures occurred: a rolling deploy, a canary, half of a fleet. */
function ranBeside(previous: KnownRelease | null, { firstSeen }: FailureTotals): boolean {
  return previous !== null && Date.parse(previous.lastAt) >= Date.parse(firstSeen) + minuteMs;
}

function base({ latest, previous }: Omit<Deploy, "later">, { firstSeen, began: beginning }: FailureBegan) {
  const { service, release, firstAt: at } = latest;
  const began = { firstSeen, ...(beginning && { began: beginning }) };
  return { service, release, at, previous: previous?.release ?? null, ...began, ...knowledgeOf(latest) };
}

/** Returns how the time of a release is known, by its processes' starts and its report, and whether it is back. */
export function knowledgeOf({
  isStartKnown,
  isBack,
  reported,
}: KnownRelease): Pick<DeployFact, "isStartKnown" | "isBack" | "reported"> {
  const known = { ...(isStartKnown && { isStartKnown }), ...(isBack && { isBack }) };
  if (reported === null) return known;
  const { live_at: at, commit, url } = reported;
  return { ...known, reported: { at, commit, url } };
}

function sumOf(counts: readonly SpreadCount[]): Pick<SpreadCount, "failing" | "heartbeats"> {
  return {
    failing: counts.reduce((sum, { failing }) => sum + failing, 0),
    heartbeats: counts.reduce((sum, { heartbeats }) => sum + heartbeats, 0),
  };
}

/** Failures, and the process-minutes in which they occurred. */
interface Rate {
  readonly failing: number;
  readonly ranFor: number;
}

/** Whether failures are too many times as frequent for chance. */
function isMoreOften(inNew: Rate, inOld: Rate): boolean {
  const factor = inNew.failing / inNew.ranFor / (Math.max(inOld.failing, 0.5) / inOld.ranFor);
  const isChance = excess(inNew.failing, inOld.failing, inNew.ranFor / (inNew.ranFor + inOld.ranFor)) > chanceMax;
  return !isChance && factor >= factorMin;
}

/**
 * Returns how long the previous release itself ran without the failure. Nothing where that isn't known, or where the
 * service went back to an earlier release: what was just taken back isn't deployed again.
 */
function ranWithout(
  { latest, previous }: Omit<Deploy, "later">,
  byRelease: readonly SpreadCount[],
  inNew: Rate,
): Pick<DeployFact, "previousRan"> {
  if (!previous?.isSeen || latest.isBack) return {};
  const { heartbeats } = sumOf(byRelease.filter(({ value }) => value === previous.release));
  const minutes = ranFor(previous, heartbeats);
  return { previousRan: { minutes, isLong: isMoreOften(inNew, { failing: 0, ranFor: minutes }) } };
}

/** Returns process-minutes by heartbeats or, without any, the time over which the release sent telemetry. */
function ranFor(life: ReleaseLife | null, heartbeats: number): number {
  const minutes = life ? (Date.parse(life.lastAt) - Date.parse(life.firstAt)) / minuteMs : 0;
  return Math.max(heartbeats, minutes, 0.5);
}

/** Returns the probability that chance puts this many failures in the new release, given how long it ran. */
function excess(inNew: number, inOld: number, shareOfNew: number): number {
  const thinned = Math.min(1, countedMax / Math.max(1, inNew + inOld));
  return binomialTail(Math.round(inNew * thinned), Math.round((inNew + inOld) * thinned), shareOfNew);
}

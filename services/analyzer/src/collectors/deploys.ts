import type { FailureTotals, ReleaseLife, ScopedEvents, SpreadCount } from "@whence/storage";
import type { Collector } from "../investigation/collect/collector.ts";
import type { Observation } from "../investigation/findings.ts";
import { observeData } from "../investigation/observe.ts";
import { inlineCode } from "../investigation/prose.ts";
import type { DeployFact } from "../investigation/telemetry-facts.ts";
import { placeOf } from "./addresses.ts";
import { type Failure, failureOf, patientDeadlineMs, type ReadsOf } from "./shared-reads.ts";
import { binomialTail } from "./statistics.ts";

const minuteMs = 60_000;
/** A failure that begins within this time after a release is near it. */
const nearMs = 10 * minuteMs;
/** Times of a client and of the service differ, and a process lives before it is heard of: so much earlier is not before. */
const earlierMs = 2 * minuteMs;
/** A release older than this is no deploy. */
const recentMs = 24 * 60 * minuteMs;
/** Below this a difference between releases is not by chance, */
const chanceMax = 0.01;
/** and it is large enough to blame a release from this factor on. */
const factorMin = 3;
/** Failures come in bursts: more of them than this say nothing more. */
const countedMax = 30;
const calleesMax = 5;

/**
 * The last release of the service, and of those it calls: whether the failure is in it alone, or many times as often,
 * by how long which release ran; whether it began soon after; or that the failure was there before it.
 */
export function deploys(events: ScopedEvents, reads: ReadsOf): Collector {
  const name = "releases";
  return {
    name,
    deadlineMs: patientDeadlineMs,
    async collect(findings) {
      const failure = failureOf(findings);
      if (!failure) return [];
      const shared = reads(failure);
      const [releases, totals] = await Promise.all([shared.releases(), events.failure(failure.fingerprint)]);
      if (!totals) return [];
      const own = latestOf(releases, failure.event.service, failure);
      const judged = own ? [judgeOwn(own, await shared.spread(), totals)] : [];
      const callees = (await calleesOf(failure, shared)).flatMap(
        (service) => latestOf(releases, service, failure) ?? [],
      );
      return [...judged, ...callees.map((deploy) => judgeOther(deploy, totals))].map((deploy) =>
        observe(deploy, name, { releases: releases.filter(({ service }) => service === deploy.service), totals }),
      );
    },
  };
}

interface Deploy {
  readonly latest: ReleaseLife;
  readonly previous: ReleaseLife;
}

/** The release that a service was given last before the failure, when there was another one before it. */
function latestOf(releases: readonly ReleaseLife[], service: string, { event }: Failure): Deploy | null {
  const of = releases.filter(
    (one) => one.service === service && Date.parse(one.firstAt) <= Date.parse(event.at) + earlierMs,
  );
  const [latest, previous] = of.toSorted((left, right) => Date.parse(right.firstAt) - Date.parse(left.firstAt));
  if (!latest || !previous || Date.parse(event.at) - Date.parse(latest.firstAt) > recentMs) return null;
  return { latest, previous };
}

/** The services that this one calls before it fails, whatever they answered. */
async function calleesOf({ event }: Failure, shared: ReturnType<ReadsOf>): Promise<string[]> {
  const [own, addresses] = await Promise.all([shared.own(), shared.addresses()]);
  const calls = [...event.calls.map(({ data }) => data), ...own.flatMap((one) => one.calls)];
  const called = calls.flatMap((call) => addresses.serviceAt(placeOf(call).host) ?? []);
  return [...new Set(called)].filter((service) => service !== event.service).slice(0, calleesMax);
}

function judgeOwn({ latest, previous }: Deploy, spread: readonly SpreadCount[], totals: FailureTotals): DeployFact {
  const deploy = { ...base(latest, previous), own: true };
  const byRelease = spread.filter(({ dimension }) => dimension === "release");
  const inNew = sumOf(byRelease.filter(({ value }) => value === latest.release));
  const inOld = sumOf(byRelease.filter(({ value }) => value !== latest.release));
  const ran = { now: ranFor(latest, inNew.heartbeats), before: ranFor(previous, inOld.heartbeats) };
  const counted = `${inNew.failing} of its events are in ${inlineCode(latest.release)} over ${duration(ran.now)}, ${inOld.failing} in others over ${duration(ran.before)}`;
  const wasBefore = Date.parse(totals.firstSeen) < Date.parse(latest.firstAt) - earlierMs;
  const chance = excess(inNew.failing, inOld.failing, ran.now / (ran.now + ran.before));
  const factor = inNew.failing / ran.now / (Math.max(inOld.failing, 0.5) / ran.before);
  if (chance <= chanceMax && factor >= factorMin) {
    const alone = inOld.failing === 0 && !wasBefore;
    return {
      ...deploy,
      verdict: "guilty",
      because: `${alone ? "in no other release" : `${factor.toFixed(0)} times as often as in the others`}: ${counted}`,
    };
  }
  if (inOld.failing > 0 || wasBefore) {
    const since = wasBefore ? `it was there before, since ${totals.firstSeen}` : "it is in the others as well";
    return { ...deploy, verdict: "innocent", because: `${since}: ${counted}` };
  }
  if (inNew.failing === 0)
    return { ...deploy, verdict: "innocent", because: `none of its events is in it: ${counted}` };
  return { ...deploy, verdict: "near", because: `${sayNear(latest, totals)}: ${counted}` };
}

/** Of another service only the times can be compared. */
function judgeOther({ latest, previous }: Deploy, totals: FailureTotals): DeployFact {
  const deploy = { ...base(latest, previous), own: false };
  const after = Date.parse(totals.firstSeen) - Date.parse(latest.firstAt);
  if (after < -earlierMs) {
    return { ...deploy, verdict: "innocent", because: `the failure was there before, since ${totals.firstSeen}` };
  }
  if (after > nearMs) {
    return { ...deploy, verdict: "innocent", because: `all was well for ${duration(after / minuteMs)} after it` };
  }
  return { ...deploy, verdict: "near", because: sayNear(latest, totals) };
}

function base(latest: ReleaseLife, previous: ReleaseLife) {
  const { service, release, firstAt: at } = latest;
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

function excess(inNew: number, inOld: number, shareOfNew: number): number {
  const thinned = Math.min(1, countedMax / Math.max(1, inNew + inOld));
  return binomialTail(Math.round(inNew * thinned), Math.round((inNew + inOld) * thinned), shareOfNew);
}

function duration(minutes: number): string {
  if (minutes < 1) return "less than a minute";
  return minutes < 180 ? `${minutes.toFixed(0)} min` : `${(minutes / 60).toFixed(0)} h`;
}

const verdicts = { guilty: "to blame", near: "near", innocent: "not to blame" } as const;

function observe(deploy: DeployFact, name: string, data: object): Observation {
  const { service, release, previous, at, verdict, because } = deploy;
  const from = previous === null ? "" : ` (before: ${inlineCode(previous)})`;
  return observeData(
    { kind: "telemetry", name },
    { ...deploy, ...data },
    {
      observed_at: at,
      summary: `${inlineCode(service)} runs ${inlineCode(release)}${from} since ${at}, ${verdicts[verdict]}: ${because}`,
      fact: { kind: "deploy", deploy },
    },
  );
}

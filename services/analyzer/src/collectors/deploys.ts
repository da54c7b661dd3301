import type { CollectedFor, Collector, DeployFact, Observation } from "@whence/engine";
import { observeData } from "@whence/engine";
import type { ScopedEvents } from "@whence/storage";
import type { ReportedReleases } from "../releases/known-releases.ts";
import { placeOf } from "./addresses.ts";
import { type Announced, type AnnouncedReads, type AnnouncedReadsOf, announcedOf } from "./announced.ts";
import { failureRose } from "./failure-rose.ts";
import { judgeByTime, judgeOwn } from "./judge-release.ts";
import type { JudgedRelease } from "./judged-release.ts";
import { latestDeploys } from "./latest-deploys.ts";
import { releasesBeforeExit } from "./release-before-exit.ts";
import { busyDeadlineMs, type Failure, failureOf, type ReadsOf } from "./shared-reads.ts";

const calleesMax = 5;
const refusedFrom = 400;

/** Returns the judged releases of an investigation, shared by all of its collectors. */
export type JudgedReleases = (findings: CollectedFor) => Promise<readonly JudgedRelease[]>;

/**
 * Judges the last releases of the service, of those it calls, of its callers, and of those that had answered the
 * callers: whether the failure is only in that release or far more frequent there, considering how long each release
 * ran; whether it began soon after; or whether it had occurred before. For a process exit: the service's last releases
 * before it.
 */
export function deploys(judged: JudgedReleases): Collector {
  const name = "releases";
  return {
    name,
    deadlineMs: busyDeadlineMs,
    async collect(findings) {
      return (await judged(findings)).map(({ deploy, data }) => observe(deploy, name, data));
    },
  };
}

/** Judges the releases of an investigation, once for all collectors. */
export function judgeReleases(
  events: ScopedEvents,
  reported: ReportedReleases | null,
  reads: ReadsOf,
  announcedReads: AnnouncedReadsOf,
): JudgedReleases {
  let judged: ReturnType<JudgedReleases> | undefined;
  const judge: JudgedReleases = async (findings) => {
    const [failure, announced] = [failureOf(findings), announcedOf(findings)];
    if (failure) return judgeAll(failure, events, reads(failure));
    if (announced) return judgeAnnounced(announced, announcedReads(announced));
    return releasesBeforeExit(events, reported, findings);
  };
  return (findings) => {
    judged ??= judge(findings);
    return judged;
  };
}

/** Judges by time alone: it isn't known which failures an announced one covers. */
async function judgeAnnounced({ service, at }: Announced, reads: AnnouncedReads): Promise<readonly JudgedRelease[]> {
  const [releases, callees] = await Promise.all([reads.releases(), reads.callees()]);
  const began = { firstSeen: at, began: "announced" } as const;
  return [service, ...callees].flatMap((one) =>
    latestDeploys(releases, one, at).map((deploy) => ({
      deploy: judgeByTime(deploy, began, { own: one === service, answeredLast: false }, null),
      data: { releases: releases.filter((release) => release.service === one), totals: null },
    })),
  );
}

async function judgeAll(
  failure: Failure,
  events: ScopedEvents,
  shared: ReturnType<ReadsOf>,
): Promise<readonly JudgedRelease[]> {
  const [releases, totals] = await Promise.all([shared.releases(), events.failure(failure.fingerprint)]);
  if (!totals) return [];
  const [spread, rose] = await Promise.all([shared.spread(), failureRose(failure, shared, totals)]);
  const beganAt = (rose ?? totals).firstSeen;
  const deploysOf = (service: string) => latestDeploys(releases, service, failure.event.at, beganAt);
  const own = deploysOf(failure.event.service).map((deploy) =>
    deploy.latest.isSeen
      ? judgeOwn(deploy, spread, totals, rose)
      : judgeByTime(deploy, totals, { own: true, answeredLast: false }, rose),
  );
  const callees = (await calleesOf(failure, shared)).flatMap(deploysOf);
  const last = await lastToAnswer(failure, shared);
  const asked = callees.map((deploy) =>
    judgeByTime(deploy, totals, { own: false, answeredLast: deploy.latest.service === last }, rose),
  );
  const above = (await upstreamOf(failure, shared)).flatMap(({ service, upstream }) => {
    const deploys = callees.some(({ latest }) => latest.service === service) ? [] : deploysOf(service);
    const whose = { own: false, answeredLast: false };
    return deploys.map((deploy) => ({ ...judgeByTime(deploy, totals, whose, rose), upstream }));
  });
  return [...own, ...asked, ...above].map((deploy) => ({
    deploy,
    data: { releases: releases.filter(({ service }) => service === deploy.service), totals },
  }));
}

/** Returns the services that this one calls before it fails, whatever their answer. */
async function calleesOf({ event }: Failure, shared: ReturnType<ReadsOf>): Promise<string[]> {
  const [own, addresses] = await Promise.all([shared.own(), shared.addresses()]);
  const calls = [...event.calls.map(({ data }) => data), ...own.flatMap((one) => one.calls)];
  const called = calls.flatMap((call) => addresses.serviceAt(placeOf(call).host) ?? []);
  return [...new Set(called)].filter((service) => service !== event.service).slice(0, calleesMax);
}

interface Upstream {
  readonly service: string;
  readonly upstream: NonNullable<DeployFact["upstream"]>;
}

/** Returns the callers of this service in the traces of the failure, and the services that had answered them before. */
async function upstreamOf({ event }: Failure, shared: ReturnType<ReadsOf>): Promise<Upstream[]> {
  const [members, addresses] = await Promise.all([shared.traceMembers(), shared.addresses()]);
  const found = new Map<string, Upstream["upstream"]>();
  for (const { service, calls } of members) {
    const called = calls.map((call) => addresses.serviceAt(placeOf(call).host));
    const first = called.indexOf(event.service);
    if (first === -1) continue;
    found.set(service, "caller");
    for (const [index, source] of called.slice(0, first).entries()) {
      const isAnswered = (calls[index]?.statusCode ?? refusedFrom) < refusedFrom;
      if (source !== null && isAnswered && !found.has(source)) found.set(source, "source");
    }
  }
  found.delete(event.service);
  return [...found].slice(0, calleesMax).map(([service, upstream]) => ({ service, upstream }));
}

async function lastToAnswer({ event }: Failure, shared: ReturnType<ReadsOf>): Promise<string | null> {
  const last = event.calls.at(-1);
  return last ? (await shared.addresses()).serviceAt(placeOf(last.data).host) : null;
}

function observe(deploy: DeployFact, name: string, data: object): Observation {
  const url = deploy.reported?.url ?? null;
  return observeData(
    { kind: "telemetry", name, ...(url !== null && { url }) },
    { ...deploy, ...data },
    { observed_at: deploy.at, fact: { kind: "deploy", deploy } },
  );
}

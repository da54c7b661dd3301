import type { Collector, DeployFact, Observation } from "@whence/engine";
import { observeData } from "@whence/engine";
import type { ReleaseLife, ScopedEvents } from "@whence/storage";
import { placeOf } from "./addresses.ts";
import { type Deploy, earlierMs, judgeOther, judgeOwn } from "./judge-release.ts";
import { busyDeadlineMs, type Failure, failureOf, type ReadsOf } from "./shared-reads.ts";

const minuteMs = 60_000;
/** A release older than this isn't a recent deploy. */
const recentMs = 24 * 60 * minuteMs;
const calleesMax = 5;
const refusedFrom = 400;

/**
 * Judges the last release of the service, of those it calls, of its callers, and of those that had answered the callers:
 * whether the failure is only in that release or far more frequent there, by how long each release ran; whether it began
 * soon after; or whether it had occurred before.
 */
export function deploys(events: ScopedEvents, reads: ReadsOf): Collector {
  const name = "releases";
  return {
    name,
    deadlineMs: busyDeadlineMs,
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
      const last = await lastToAnswer(failure, shared);
      const asked = callees.map((deploy) => judgeOther(deploy, totals, deploy.latest.service === last));
      const above = (await upstreamOf(failure, shared)).flatMap(({ service, upstream }) => {
        const deploy = callees.some(({ latest }) => latest.service === service)
          ? null
          : latestOf(releases, service, failure);
        return deploy ? [{ ...judgeOther(deploy, totals, false), upstream }] : [];
      });
      const others = [...asked, ...above];
      return [...judged, ...others].map((deploy) =>
        observe(deploy, name, { releases: releases.filter(({ service }) => service === deploy.service), totals }),
      );
    },
  };
}

/** The last release of a service before the failure, when there was another one before it. */
function latestOf(releases: readonly ReleaseLife[], service: string, { event }: Failure): Deploy | null {
  const of = releases.filter(
    (one) => one.service === service && Date.parse(one.firstAt) <= Date.parse(event.at) + earlierMs,
  );
  const [latest, previous] = of.toSorted((left, right) => Date.parse(right.firstAt) - Date.parse(left.firstAt));
  if (!latest || !previous || Date.parse(event.at) - Date.parse(latest.firstAt) > recentMs) return null;
  return { latest, previous };
}

/** The services that this one calls before it fails, whatever their answer. */
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

/** The callers of this service in the traces of the failure, and the services that had answered them before. */
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
  return observeData(
    { kind: "telemetry", name },
    { ...deploy, ...data },
    { observed_at: deploy.at, fact: { kind: "deploy", deploy } },
  );
}

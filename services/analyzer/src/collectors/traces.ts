import type { Collector, EventFacts } from "@whence/engine";
import { minuteMs } from "@whence/protocol";
import type { Circumstances, ScopedEvents } from "@whence/storage";
import type { Addresses } from "./addresses.ts";
import { ordinaryDurations } from "./failed-call.ts";
import { failedSteps } from "./failed-steps.ts";
import { type FoundFailure, observeRelatedFailures, relatedFailuresMax, thereBeforeShare } from "./related-failures.ts";
import { busyDeadlineMs, type Failure, failureOf, type ReadsOf, spanBefore } from "./shared-reads.ts";
import { type Role, rolesIn } from "./trace-walk.ts";

/** The number of traces of this failure's last events that are read. */
const tracesMax = 20;
const membersMax = 300;
const stepsMax = 2_000;
const traceAroundMs = 30_000;
const timeAroundMs = 5 * minuteMs;
const failuresMax = 60;

/**
 * Finds failures of other services in the same traces, and the deepest of them: the one that others called, and that
 * called no failing service. Without a trace, when a call of this event had failed, finds the failures of other
 * services that began in the same minutes.
 */
export function traces(events: ScopedEvents, reads: ReadsOf): Collector {
  const name = "related failures";
  return {
    name,
    deadlineMs: busyDeadlineMs,
    async collect(findings) {
      const failure = failureOf(findings);
      if (!failure) return [];
      const shared = reads(failure);
      const addresses = await shared.addresses();
      const found = await sameTraces(events, failure, { own: await shared.own(), addresses });
      const shown = { until: failure.event.at, name };
      if (found.length > 0) return observeRelatedFailures(events, found, shown);
      if (!failure.event.calls.some(({ trouble, isRelated }) => trouble !== null && isRelated)) return [];
      return observeRelatedFailures(events, await sameTime(events, failure), shown);
    },
  };
}

interface Known {
  readonly own: readonly Circumstances[];
  readonly addresses: Addresses;
}

async function sameTraces(
  events: ScopedEvents,
  { event, fingerprint }: Failure,
  { own, addresses }: Known,
): Promise<FoundFailure[]> {
  const ids = [event.trace?.trace_id ?? "", ...own.map(({ traceId }) => traceId)].filter((id) => id !== "");
  const traceIds = [...new Set(ids)].slice(0, tracesMax);
  if (traceIds.length === 0) return [];
  const earliest = own.filter(({ traceId }) => traceIds.includes(traceId)).at(-1)?.at ?? event.at;
  const from = new Date(Math.min(Date.parse(earliest), Date.parse(event.at)) - traceAroundMs).toISOString();
  const span = { ...spanBefore(event, 0), from, traceIds };
  const [reported, steps] = await Promise.all([
    events.circumstances({ ...span, limit: membersMax }),
    events.spans({ ...span, limit: stepsMax }),
  ]);
  const members = [...reported, ...failedSteps(steps, reported)];
  const ordinary = ordinaryDurations(members.flatMap(({ calls }) => calls));
  const byTrace = Map.groupBy(members, ({ traceId }) => traceId);
  const related = new Map<string, FoundFailure>();
  for (const trace of byTrace.values()) {
    const origin = trace.find((one) => one.fingerprint === fingerprint) ?? originOf(event);
    const failed = trace.filter((one) => one.fingerprint !== "" && one.service !== event.service);
    for (const [member, role] of rolesIn(origin, failed, { addresses, ordinary })) {
      const key = `${member.service} ${member.fingerprint}`;
      const known = related.get(key);
      const weightier = known && rolesByWeight.indexOf(known.role) <= rolesByWeight.indexOf(role);
      related.set(key, {
        example: member,
        link: "trace",
        wasThere: false,
        role: weightier ? known.role : role,
        traces: { with: (known?.traces.with ?? 0) + 1, of: traceIds.length },
      });
    }
  }
  return [...related.values()].sort(
    (left, right) =>
      rolesByWeight.indexOf(left.role) - rolesByWeight.indexOf(right.role) || right.traces.with - left.traces.with,
  );
}

const rolesByWeight: readonly Role[] = ["deepest", "refusing", "between", "beside", "caller"];

/** Returns the event in the form of those read with its trace, which may not include it. */
function originOf(event: EventFacts): Circumstances {
  return {
    id: event.id,
    at: event.at,
    service: event.service,
    release: event.release,
    host: event.host,
    instance: event.instance,
    runtime: "",
    fingerprint: "",
    traceId: event.trace?.trace_id ?? "",
    message: "",
    method: event.request?.method ?? "",
    path: event.request?.path ?? "",
    route: event.request?.route ?? "",
    calledAs: "",
    userAgent: "",
    calls: event.calls.map(({ at, data, isRelated }) => ({
      at,
      method: data.method,
      url: data.url,
      statusCode: data.status_code ?? null,
      durationMs: data.duration_ms ?? null,
      error: data.error ?? data.error_code ?? null,
      isOfProcess: !isRelated,
    })),
  };
}

/** Returns other services' failures in the same minutes that are new, or more frequent than before. */
async function sameTime(events: ScopedEvents, { event }: Failure): Promise<FoundFailure[]> {
  const span = spanBefore(event, timeAroundMs);
  const counts = await events.failures({ ...span, limit: failuresMax });
  const others = counts.filter(({ service }) => service !== event.service).slice(0, relatedFailuresMax);
  const examples = await Promise.all(
    others.map(({ service, fingerprint }) => events.circumstances({ ...span, service, fingerprint, limit: 1 })),
  );
  return others.flatMap((count, index): FoundFailure[] => {
    const example = examples[index]?.[0];
    if (!example || Math.abs(Date.parse(example.at) - Date.parse(event.at)) > traceAroundMs) return [];
    const wasThere = count.before >= thereBeforeShare * count.events;
    return [
      {
        example,
        link: "time",
        role: "beside",
        wasThere,
        traces: { with: 0, of: 0 },
      },
    ];
  });
}

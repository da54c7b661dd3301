import { isShortlyBefore } from "@whence/protocol";
import type { Circumstances, CircumstancesFilter } from "../surroundings.ts";
import type { Ask } from "./query.ts";
import { spans } from "./spans.ts";

/** A call is made before what it leads to, by at most this. */
const callBeforeMs = 30_000;
const spansMax = 2_000;

/**
 * Adds to events without calls of their own those that spans of their trace and service describe, shortly before them.
 * At most `callsMax` each, the last ones.
 */
export async function withTracedCalls(
  ask: Ask,
  scope: string,
  { filter, callsMax }: { readonly filter: CircumstancesFilter; readonly callsMax: number },
  events: readonly Circumstances[],
): Promise<Circumstances[]> {
  const lacking = events.filter(({ traceId, calls }) => traceId !== "" && calls.length === 0);
  if (lacking.length === 0) return [...events];
  const called = await spans(ask, scope, {
    env: filter.env,
    from: new Date(Date.parse(filter.from) - callBeforeMs).toISOString(),
    to: filter.to,
    traceIds: [...new Set(lacking.map(({ traceId }) => traceId))],
    kinds: ["client"],
    limit: spansMax,
  });
  const byTrace = Map.groupBy(called.toReversed(), ({ traceId, service }) => `${traceId} ${service}`);
  return events.map((event) => {
    if (event.calls.length > 0) return event;
    const ofTrace = byTrace.get(`${event.traceId} ${event.service}`) ?? [];
    const before = ofTrace.filter((span) => isShortlyBefore(span.at, event.at));
    return { ...event, calls: before.flatMap(({ call }) => call ?? []).slice(-callsMax) };
  });
}

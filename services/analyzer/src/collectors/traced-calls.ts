import { type Breadcrumb, isShortlyBefore, limits, type TelemetryEvent } from "@whence/protocol";
import type { ScopedEvents, StoredEvent, TraceStep } from "@whence/storage";

/** How far before an event its calls may have been made, and after it by other clocks. */
const beforeMs = 30_000;
const afterMs = 1_000;

/** Returns the steps of an event's own trace shortly before it, the oldest first. */
export async function stepsBefore(events: ScopedEvents, { event, env }: StoredEvent): Promise<TraceStep[]> {
  if (!event.trace) return [];
  const at = Date.parse(event.timestamp);
  const found = await events.spans({
    env,
    traceIds: [event.trace.trace_id],
    limit: limits.breadcrumbsMax,
    from: new Date(at - beforeMs).toISOString(),
    to: new Date(at + afterMs).toISOString(),
  });
  return found.toReversed();
}

/**
 * Returns the event with breadcrumbs of what its service called in the same trace, shortly before, by its spans; as it
 * is when its client recorded breadcrumbs itself. Spans may come later than the event.
 */
export async function withTracedCalls(events: ScopedEvents, stored: StoredEvent): Promise<TelemetryEvent> {
  const { event, service } = stored;
  if (event.breadcrumbs && event.breadcrumbs.length > 0) return event;
  const steps = await stepsBefore(events, stored);
  const breadcrumbs = steps.flatMap((span) =>
    span.service === service && isShortlyBefore(span.at, event.timestamp) ? (breadcrumbOf(span) ?? []) : [],
  );
  return breadcrumbs.length === 0 ? event : { ...event, breadcrumbs };
}

/** Returns a call as clients record it; null for what is no call. */
function breadcrumbOf(span: TraceStep): Breadcrumb | null {
  if (span.kind !== "client" && span.kind !== "producer") return null;
  const data = dataOf(span);
  if (!data) return null;
  const category = span.category === "rpc" ? "http" : span.category;
  return { timestamp: span.at, category, level: span.error === null ? "info" : "error", data };
}

function dataOf({ call, category, method, target, peer, durationMs, error }: TraceStep) {
  const ended = { duration_ms: durationMs, ...(error !== null && { error: error || "it failed" }) };
  if (call) {
    const answer = call.statusCode === null ? ended : { status_code: call.statusCode, duration_ms: durationMs };
    return { method, url: target, ...answer };
  }
  if (category !== "db" && category !== "messaging") return null;
  const [system, what] = target.split(": ", 2);
  const named = category === "db" ? { statement: what } : { destination: what };
  return { system, ...named, ...(method !== "" && { operation: method }), host: peer, ...ended };
}

import { eventTime, fingerprint, isFailure, type TelemetryEvent } from "@whence/protocol";
import type {
  StoredEvent,
  StoredLosses,
  StoredMeasure,
  StoredReading,
  StoredSessions,
  StoredSpan,
} from "@whence/storage";
import type { BatchMessage } from "../telemetry/batch-message.ts";

/** Whether an event reports a failure: an exception or a log of level `error` or above. */
function reportsFailure({ type, level }: TelemetryEvent): boolean {
  return (type === "exception" || type === "log") && isFailure(level);
}

/** Returns the events of a batch as stored. The dropped ranges of the batch are stored with its first event. */
export function toStoredEvents(message: BatchMessage): StoredEvent[] {
  const { service, dropped = [], events } = message.batch;
  const receivedAtMs = Date.parse(message.received_at);
  const common = commonOf(message);
  const stored = events.map((event): StoredEvent => {
    const { exceptions } = event;
    const print = reportsFailure(event) ? fingerprint({ service, message: event.message, exceptions }) : "";
    return { ...common, ...timed(event, receivedAtMs), fingerprint: print };
  });
  const [first] = stored;
  if (first !== undefined && dropped.length > 0) stored[0] = { ...first, dropped };
  return stored;
}

/** Returns the event with a plausible time, which is the only one that decisions about failures use. */
function timed(event: TelemetryEvent, receivedAtMs: number): Pick<StoredEvent, "event" | "eventText" | "claimedAt"> {
  const { timestamp } = event;
  const happenedAtMs = eventTime(timestamp, receivedAtMs);
  if (happenedAtMs === Date.parse(timestamp)) return { event, eventText: JSON.stringify(event) };
  return { event: { ...event, timestamp: new Date(happenedAtMs).toISOString() }, claimedAt: timestamp };
}

/** Returns the event as its client sent it. */
export function asSent({ event, claimedAt }: StoredEvent): TelemetryEvent {
  return claimedAt === undefined ? event : { ...event, timestamp: claimedAt };
}

/**
 * Returns the dropped ranges of a batch for separate storage, when no event can carry them. Null when it reports none.
 */
export function toStoredLosses(message: BatchMessage): StoredLosses | null {
  const { dropped = [] } = message.batch;
  return dropped.length === 0 ? null : { ...commonOf(message), dropped };
}

/** Returns the steps of traces in a batch as stored. */
export function toStoredSpans(message: BatchMessage): StoredSpan[] {
  const { spans = [] } = message.batch;
  if (spans.length === 0) return [];
  const { sdk: _sdk, host, ...common } = commonOf(message);
  return spans.map((span) => {
    const { trace_id: traceId, span_id: spanId, parent_id: parentId, duration_ms: durationMs, ...rest } = span;
    const { status_code: statusCode, ...same } = rest;
    return { ...common, host: host.name, ...same, traceId, spanId, parentId, durationMs, statusCode };
  });
}

/** Returns the state of a batch's process as stored. */
export function toStoredReadings(message: BatchMessage): StoredReading[] {
  const { readings = [] } = message.batch;
  if (readings.length === 0) return [];
  const { sdk: _sdk, host, ...common } = commonOf(message);
  const { name, version } = host.runtime;
  return readings.map((reading) => ({
    ...common,
    host: host.name,
    runtime: `${name} ${version}`.trim(),
    at: reading.at,
    rssBytes: reading.rss_bytes,
    heapUsedBytes: reading.heap_used_bytes,
    heapLimitBytes: reading.heap_limit_bytes,
    eventLoopDelayMs: reading.event_loop_delay_ms,
    cpu: reading.cpu,
    pool: reading.pool,
  }));
}

/** Returns what metrics of a batch's process count as stored. */
export function toStoredMeasures(message: BatchMessage): StoredMeasure[] {
  const { measures = [] } = message.batch;
  if (measures.length === 0) return [];
  const { sdk: _sdk, host, ...common } = commonOf(message);
  return measures.map((measure) => ({ ...common, host: host.name, ...measure }));
}

/** Returns the sessions of a batch as stored. */
export function toStoredSessions(message: BatchMessage): StoredSessions[] {
  const { sessions = [] } = message.batch;
  if (sessions.length === 0) return [];
  const { sdk: _sdk, host: _host, instance: _instance, ...common } = commonOf(message);
  return sessions.map((some) => ({ ...common, ...some }));
}

/** Returns the fields that all events of a batch share. */
function commonOf({
  scope_id,
  received_at,
  retention_days,
  batch,
}: BatchMessage): Omit<StoredEvent, "event" | "eventText" | "fingerprint" | "dropped" | "claimedAt"> {
  const { service, env, release = "", instance, host, sdk } = batch;
  const kept = retention_days === undefined ? {} : { retentionDays: retention_days };
  return { scopeId: scope_id, service, env, release, instance, host, sdk, receivedAt: received_at, ...kept };
}

import { eventTime, fingerprint, isFailure, type TelemetryEvent } from "@whence/protocol";
import type { StoredEvent, StoredLosses } from "@whence/storage";
import type { BatchMessage } from "../telemetry/batch-message.ts";

/** Whether an event reports a failure: an exception or a log of level `error` or above. */
function reportsFailure({ type, level }: TelemetryEvent): boolean {
  return (type === "exception" || type === "log") && isFailure(level);
}

/** The events of a batch as they are kept. Losses that the batch reports stay with its first event. */
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

/** The event with a time that can be right: what decides about failures looks at no other. */
function timed(event: TelemetryEvent, receivedAtMs: number): Pick<StoredEvent, "event" | "eventText" | "claimedAt"> {
  const { timestamp } = event;
  const happenedAtMs = eventTime(timestamp, receivedAtMs);
  if (happenedAtMs === Date.parse(timestamp)) return { event, eventText: JSON.stringify(event) };
  return { event: { ...event, timestamp: new Date(happenedAtMs).toISOString() }, claimedAt: timestamp };
}

/** The event as its client sent it. */
export function asSent({ event, claimedAt }: StoredEvent): TelemetryEvent {
  return claimedAt === undefined ? event : { ...event, timestamp: claimedAt };
}

/** The losses of a batch by themselves, as they are kept when no event can carry them. Null when it reports none. */
export function toStoredLosses(message: BatchMessage): StoredLosses | null {
  const { dropped = [] } = message.batch;
  return dropped.length === 0 ? null : { ...commonOf(message), dropped };
}

/** What every event of a batch shares. */
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

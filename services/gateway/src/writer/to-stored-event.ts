import { fingerprint, isFailure, type TelemetryEvent } from "@whence/protocol";
import type { StoredEvent } from "@whence/storage";
import type { BatchMessage } from "../telemetry/batch-message.ts";

/**
 * The rows of a batch. What the client reports as lost travels as the attribute `whence.dropped` of the batch's first
 * event, so that every sequence number of an instance can be accounted for.
 */
export function toStoredEvents(message: BatchMessage): StoredEvent[] {
  const { service, env, instance, host, sdk, release = "", dropped } = message;
  const common = { scopeId: message.scope_id, service, env, instance, host, sdk, release };
  return message.events.map((event, index) => ({
    ...common,
    event: index === 0 && dropped ? withDropped(event, dropped) : event,
    fingerprint: tellsOfFailure(event) ? fingerprint({ service, ...event }) : "",
    receivedAt: message.received_at,
  }));
}

/** Whether an event may become an incident: an exception of any level, or a log record of a failure. */
function tellsOfFailure(event: TelemetryEvent): boolean {
  return event.type === "exception" || (event.type === "log" && isFailure(event.level));
}

function withDropped(event: TelemetryEvent, dropped: NonNullable<BatchMessage["dropped"]>): TelemetryEvent {
  return { ...event, attributes: { ...event.attributes, "whence.dropped": dropped } };
}

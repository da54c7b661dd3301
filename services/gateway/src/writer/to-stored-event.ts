import { fingerprint, isFailure, type TelemetryEvent } from "@whence/protocol";
import type { StoredEvent } from "@whence/storage";
import type { BatchMessage } from "../telemetry/batch-message.ts";

/** Whether an event tells of a failure: any exception, and a log from `error` on. */
function tellsOfFailure({ type, level }: TelemetryEvent): boolean {
  return type === "exception" || (type === "log" && isFailure(level));
}

/** The events of a batch as they are kept. Losses that the batch reports stay with its first event. */
export function toStoredEvents(message: BatchMessage): StoredEvent[] {
  const { service, env, release = "", instance, host, sdk, dropped = [] } = message;
  return message.events.map((event, index) => ({
    scopeId: message.scope_id,
    event,
    ...{ service, env, release, instance, host, sdk },
    fingerprint: tellsOfFailure(event)
      ? fingerprint({ service, message: event.message, exceptions: event.exceptions })
      : "",
    receivedAt: message.received_at,
    ...(index === 0 && dropped.length > 0 && { dropped }),
  }));
}

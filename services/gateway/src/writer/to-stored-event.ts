import { fingerprint, isFailure, type TelemetryEvent } from "@whence/protocol";
import type { StoredEvent } from "@whence/storage";
import type { BatchMessage } from "../telemetry/batch-message.ts";

/** Whether an event tells of a failure: any exception, and a log from `error` on. */
function tellsOfFailure({ type, level }: TelemetryEvent): boolean {
  return type === "exception" || (type === "log" && isFailure(level));
}

/** The events of a batch as they are kept. Losses that the batch reports stay with its first event. */
export function toStoredEvents({ scope_id, received_at, batch, retention_days }: BatchMessage): StoredEvent[] {
  const { service, env, release = "", instance, host, sdk, dropped = [] } = batch;
  return batch.events.map((event, index) => ({
    scopeId: scope_id,
    event,
    ...{ service, env, release, instance, host, sdk },
    fingerprint: tellsOfFailure(event)
      ? fingerprint({ service, message: event.message, exceptions: event.exceptions })
      : "",
    receivedAt: received_at,
    ...(retention_days !== undefined && { retentionDays: retention_days }),
    ...(index === 0 && dropped.length > 0 && { dropped }),
  }));
}

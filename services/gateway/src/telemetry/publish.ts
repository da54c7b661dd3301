import { createHash } from "node:crypto";
import type { Batch } from "@whence/protocol";
import { type Queue, telemetryTopic } from "@whence/storage";
import type { BatchMessage } from "./batch-message.ts";

/**
 * Resolves once the batch would survive the death of this process; rejects when it might not. A batch with neither
 * events nor losses is nothing to keep.
 */
export async function publishBatch(queue: Queue, scopeId: string, batch: Batch, receivedAt: string): Promise<void> {
  if (batch.events.length === 0 && (batch.dropped ?? []).length === 0) return;
  const message: BatchMessage = { scope_id: scopeId, received_at: receivedAt, batch };
  await queue.publish(telemetryTopic, [{ id: messageId(scopeId, batch), body: JSON.stringify(message) }]);
}

/**
 * The same for the same batch sent again, as by a client whose 202 got lost: the queue takes it once. `sent_at`, which
 * differs then, takes no part.
 */
function messageId(scopeId: string, { instance, dropped = [], events }: Batch): string {
  return createHash("sha256")
    .update(JSON.stringify([scopeId, instance, dropped, events]))
    .digest("hex");
}

import type { Batch } from "@whence/protocol";
import { type Queue, telemetryTopic } from "@whence/storage";
import { takeBatch } from "../src/telemetry/take-batch.ts";

/** Puts a batch on the queue as the gateway does. */
export async function publishBatch(queue: Queue, scopeId: string, batch: Batch, receivedAt: string): Promise<void> {
  const frame = { scopeId, receivedAt, retentionDays: null, userKey: null };
  const { messages, rejected } = takeBatch({ text: JSON.stringify(batch), value: batch }, frame);
  if (rejected.length > 0) throw new Error(JSON.stringify(rejected));
  await queue.publish(telemetryTopic, messages);
}

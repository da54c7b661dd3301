import { startWriter, writerMetrics } from "@whence/gateway";
import { deliveryMetrics } from "../metrics.ts";
import type { RoleContext } from "./role-context.ts";

/** Moves accepted batches from the queue into the event store. */
export async function startWriterRole({ app, storage, registry, clock, parts }: RoleContext): Promise<void> {
  const [queue, events] = await Promise.all([storage.queue(), storage.events()]);
  deliveryMetrics(registry, events, clock);
  const writer = startWriter({ queue, events, logger: app.log, metrics: writerMetrics(registry) });
  parts.defer(() => writer.stop());
}

import { startWriter, writerMetrics } from "@whence/gateway";
import { deliveryMetrics } from "../metrics.ts";
import type { RoleContext } from "./role-context.ts";

/** Starts the role that moves accepted batches from the queue to the event store. */
export async function startWriterRole({ app, storage, registry, clock, parts }: RoleContext): Promise<void> {
  const [queue, events] = await Promise.all([storage.queue(), storage.events()]);
  deliveryMetrics(registry, events, clock);
  const writer = startWriter({ queue, events, logger: app.log, metrics: writerMetrics(registry) });
  parts.defer(() => writer.stop());
}

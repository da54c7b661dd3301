import { failureMessageSchema } from "@whence/protocol";
import { failuresTopic, investigationsTopic, type Queue } from "@whence/storage";
import { startConsumer } from "./consume.ts";
import { failureHandler } from "./failures.ts";
import { type InvestigationContext, investigationHandler, investigationMessageSchema } from "./investigations.ts";
import { type OutboxRelay, startOutboxRelay } from "./outbox-relay.ts";

/** Decisions about one failure must see each other, and are short. */
const failureLanes = 1;
const investigationLanes = 2;

export interface Consumers {
  readonly relayOutbox: () => void;
  /** Finishes what is in hand, or hands it back after `graceMs`. */
  stop(graceMs: number): Promise<void>;
}

/** The analyzer's background work: failures become incidents, incidents become reports. */
export function startConsumers(context: InvestigationContext & { readonly queue: Queue }): Consumers {
  const { queue, control, clock, logger } = context;
  const relay: OutboxRelay = startOutboxRelay(control.outbox, queue, logger);
  const consumers = [
    startConsumer({
      queue,
      logger,
      topic: failuresTopic,
      schema: failureMessageSchema,
      concurrency: failureLanes,
      handle: failureHandler(control, clock, relay.kick),
    }),
    startConsumer({
      queue,
      logger,
      topic: investigationsTopic,
      schema: investigationMessageSchema,
      concurrency: investigationLanes,
      handle: investigationHandler(context),
    }),
  ];
  return {
    relayOutbox: relay.kick,
    async stop(graceMs) {
      await Promise.all(consumers.map((consumer) => consumer.stop(graceMs)));
      await relay.stop();
    },
  };
}

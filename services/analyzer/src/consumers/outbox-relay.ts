import { investigationsTopic, type Outbox, type Queue } from "@whence/storage";
import type { Logger } from "../logger.ts";
import { FairOrder } from "./fair-order.ts";

/** Investigations that wait in the queue, all of its analyzers together, give or take what two publish at once. */
export const waitingMax = 8;
/** How soon a queue that refused is tried again. */
const retryDelayMs = 1_000;
/** How soon somebody publishes what another analyzer left behind when it died. */
export const outboxLookIntervalMs = 5_000;

export interface OutboxRelay {
  /** Publishes what transactions left in the outbox. Returns at once and never throws. Also done every few seconds. */
  readonly kick: () => void;
  /** Resolves when nothing is under way; what is left stays in the outbox for the next start. */
  stop(): Promise<void>;
}

/**
 * Moves messages from the outbox to the queue, no more than are worked on soon: what waits in the outbox can still be
 * overtaken by what is worse, and the queue cannot be filled by one scope. Published first, removed then, so that a crash between the two
 * publishes again an id that the queue knows. So do two relays that find the same message. What a newer version left for a topic
 * of its own waits for that version: after a roll-back it must not be lost.
 */
export function startOutboxRelay(outbox: Outbox, queue: Queue, logger: Logger): OutboxRelay {
  const order = new FairOrder();
  let wanted = false;
  let stopped = false;
  let running: Promise<void> | undefined;
  let retry: NodeJS.Timeout | undefined;

  function kick(): void {
    wanted = true;
    if (stopped || running !== undefined) return;
    clearTimeout(retry);
    running = drain().finally(() => {
      running = undefined;
      // A kick that came after the last look.
      if (wanted) kick();
    });
  }

  async function drain(): Promise<void> {
    try {
      while (wanted && !stopped) {
        wanted = false;
        await relaySome(outbox, queue, order);
      }
    } catch (error) {
      wanted = false;
      logger.error({ err: error }, "the outbox could not be published; it is tried again");
      retry = setTimeout(kick, retryDelayMs).unref();
    }
  }

  kick();
  const looking = setInterval(kick, outboxLookIntervalMs).unref();
  return {
    kick,
    async stop() {
      stopped = true;
      clearInterval(looking);
      clearTimeout(retry);
      await running;
    },
  };
}

async function relaySome(outbox: Outbox, queue: Queue, order: FairOrder): Promise<void> {
  const urgent = await outbox.urgent(waitingMax, investigationsTopic.name);
  if (urgent.length === 0) return;
  const { pending } = await queue.depth(investigationsTopic);
  const chosen = order.take(urgent, waitingMax - pending);
  if (chosen.length === 0) return;
  await queue.publish(
    investigationsTopic,
    chosen.map(({ id, body }) => ({ id, body })),
  );
  await outbox.remove(chosen.map(({ id }) => id));
}

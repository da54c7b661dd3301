import { randomUUID } from "node:crypto";
import { minuteMs } from "@whence/protocol";
import { investigationsTopic, isAgentScope, type OutboxStore, type Queue, type UrgentMessage } from "@whence/storage";
import type { Logger } from "../logger.ts";
import { FairOrder } from "../threads/fair-order.ts";
import { unclaimedLanes } from "./investigation-lanes.ts";

/** The approximate number of investigations waiting in the queue, from all analyzers together. */
export const waitingMax = 8;
/** The delay before retrying after the queue refused. */
const retryDelayMs = 1_000;
/** How soon another analyzer publishes what one left behind when it died. */
export const outboxLookIntervalMs = 5_000;
/** A turn that takes longer no longer counts: its process is gone. */
const turnMaxMs = minuteMs;

export interface OutboxRelay {
  /** Publishes messages from the outbox, as happens every few seconds anyway. Returns at once and never throws. */
  readonly kick: () => void;
  /** Ends the turn of a handled message and publishes the next. Returns at once and never throws. */
  readonly done: (messageId: string) => void;
  /** Resolves when nothing is being published; the rest stays in the outbox for the next start. */
  stop(): Promise<void>;
}

export interface OutboxRelayOptions {
  readonly control: OutboxStore;
  readonly queue: Queue;
  readonly clock: () => number;
  readonly logger: Logger;
  /** The number of one organization's investigations that this relay may have running at once. */
  readonly perOrganization: number;
}

/**
 * Moves messages from the outbox to the queue, no more than will be handled soon: in the outbox, a more urgent message
 * can still overtake, and one scope can fill neither the queue nor the analyzers. A message is published, then removed,
 * so that after a crash in between, or with two relays, the queue gets an id it knows. Messages that a newer version
 * left for another topic stay until that version is back after a rollback.
 */
export function startOutboxRelay(options: OutboxRelayOptions): OutboxRelay {
  const { control, logger } = options;
  const publisher = randomUUID();
  const orders = { organizations: new FairOrder(), unclaimed: new FairOrder() };
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
        await relaySome(options, publisher, orders);
      }
    } catch (error) {
      wanted = false;
      logger.error({ err: error }, "could not publish the outbox; will retry");
      retry = setTimeout(kick, retryDelayMs).unref();
    }
  }

  function done(messageId: string): void {
    const ending = control.turns.end([messageId]);
    // A turn that wasn't ended soon stops counting.
    ending.catch((error: unknown) => logger.warn({ err: error }, "could not end a turn")).finally(kick);
  }

  kick();
  const looking = setInterval(kick, outboxLookIntervalMs).unref();
  return {
    kick,
    done,
    async stop() {
      stopped = true;
      clearInterval(looking);
      clearTimeout(retry);
      await running;
    },
  };
}

interface Orders {
  readonly organizations: FairOrder;
  /** For agents that no organization has claimed. */
  readonly unclaimed: FairOrder;
}

async function relaySome(options: OutboxRelayOptions, publisher: string, orders: Orders): Promise<void> {
  const { control, queue, clock, perOrganization } = options;
  const { outbox, turns } = control;
  const urgent = await outbox.urgent(waitingMax, investigationsTopic.name);
  if (urgent.length === 0) return;
  const now = new Date(clock());
  const turn = { publisher, now, since: new Date(now.getTime() - turnMaxMs) };
  const [{ pending }, taken] = await Promise.all([queue.depth(investigationsTopic), turns.count(turn)]);
  const roomOf = (scopeId: string): number => perOrganization - (taken.get(scopeId) ?? 0);
  const [unclaimed, owned] = split(urgent);
  const chosen = [
    ...orders.organizations.take(owned, waitingMax - pending, roomOf),
    ...orders.unclaimed.take(unclaimed, unclaimedLanes - turnsOfAgents(taken)),
  ];
  if (chosen.length === 0) return;
  const ids = chosen.map(({ id }) => id);
  await turns.begin(chosen, turn);
  try {
    await queue.publish(
      investigationsTopic,
      chosen.map(({ id, body }) => ({ id, body })),
    );
  } catch (error) {
    await turns.end(ids);
    throw error;
  }
  await outbox.remove(ids);
}

function split(messages: readonly UrgentMessage[]): [unclaimed: UrgentMessage[], owned: UrgentMessage[]] {
  const isUnclaimed = ({ scopeId }: UrgentMessage): boolean => isAgentScope(scopeId);
  return [messages.filter(isUnclaimed), messages.filter((message) => !isUnclaimed(message))];
}

function turnsOfAgents(turns: ReadonlyMap<string, number>): number {
  return [...turns].reduce((sum, [scopeId, count]) => (isAgentScope(scopeId) ? sum + count : sum), 0);
}

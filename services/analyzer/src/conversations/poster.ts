import { setTimeout as delay } from "node:timers/promises";
import type { TakenPost } from "@whence/storage";
import type { ConversationContext } from "./conversation-context.ts";
import { conversationLimits } from "./conversation-limits.ts";
import { postInConversation } from "./post-in-conversation.ts";

export interface Poster {
  /** Looks for due posts at once. Never rejects: failures are retried. */
  readonly kick: () => void;
  /** Resolves when nothing is being posted, or after `graceMs`; other analyzers post the rest. */
  stop(graceMs: number): Promise<void>;
}

/**
 * Posts what is due in conversations: looks for it every two seconds, and when kicked. Any number of processes may run
 * it: a post belongs to one at a time. It is posted at least once, under one key; it is posted again if its process
 * died after posting it and before recording that.
 */
export function startPoster(context: ConversationContext): Poster {
  const { control, clock, logger } = context;
  const { postsMax, perScopeMax, holdMs, lookIntervalMs } = conversationLimits;
  const underWay = new Set<Promise<void>>();
  let stopped = false;
  let looking: Promise<void> | undefined;
  let isAskedAgain = false;

  async function look(): Promise<void> {
    const max = postsMax - underWay.size;
    if (max <= 0) return;
    try {
      for (const taken of await control.conversations.take(new Date(clock()), { max, perScopeMax, holdMs })) {
        const posting: Promise<void> = post(context, taken).finally(() => {
          underWay.delete(posting);
          kick();
        });
        underWay.add(posting);
      }
    } catch (error) {
      logger.error({ err: error }, "could not look for what is to be said in conversations; will retry");
    }
  }

  function kick(): void {
    if (stopped) return;
    isAskedAgain = looking !== undefined;
    looking ??= look().finally(() => {
      looking = undefined;
      if (isAskedAgain) kick();
    });
  }

  kick();
  const timer = setInterval(kick, lookIntervalMs).unref();
  return {
    kick,
    async stop(graceMs) {
      stopped = true;
      clearInterval(timer);
      await looking;
      await Promise.race([Promise.all(underWay), delay(graceMs, undefined, { ref: false })]);
    },
  };
}

async function post(context: ConversationContext, taken: TakenPost): Promise<void> {
  const { control, clock, logger, metrics } = context;
  try {
    const attempted = await postInConversation(context, taken);
    if (!attempted) return;
    const { kind, outcome } = attempted;
    if (!(await control.conversations.settle(taken, outcome, new Date(clock())))) return;
    metrics.conversationPosts.inc({ kind, outcome: outcome.state === "waiting" ? "retried" : outcome.state });
  } catch (error) {
    logger.error({ err: error, post: taken.id }, "could not process what is to be said in a conversation; will retry");
  }
}

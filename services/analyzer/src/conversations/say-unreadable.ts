import { unreadable } from "./compose-answer.ts";
import type { ConversationContext } from "./conversation-context.ts";
import { conversationLimits } from "./conversation-limits.ts";
import type { ConversationInHand } from "./start-conversation.ts";

/** Posts in a conversation that it couldn't be read, and why, if the vendor allows it. */
export async function sayUnreadable(
  { logger, metrics }: Pick<ConversationContext, "logger" | "metrics">,
  { taken, conversation, client }: Pick<ConversationInHand, "taken" | "conversation" | "client">,
  reason: string,
): Promise<void> {
  const signal = AbortSignal.timeout(conversationLimits.courtesyWithinMs);
  try {
    const options = { replaces: conversation.messageId, key: `${taken.id}-unread`, signal };
    await client.post(conversation.place, unreadable(reason), options);
    await client.show(conversation.place, "FAILED", signal);
    metrics.conversationPosts.inc({ kind: "failure", outcome: "posted" });
  } catch (error) {
    metrics.conversationPosts.inc({ kind: "failure", outcome: "given_up" });
    logger.warn({ err: error, post: taken.id }, "it could not be said that a conversation is unreadable");
  }
}

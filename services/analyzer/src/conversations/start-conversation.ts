import type { StoredConversation, TakenPost } from "@whence/storage";
import type { AlertSender, ConversationClient, ConversationRequest } from "@whence/vendors";
import { openForConversation } from "../incidents/open-incident.ts";
import { acknowledgment, otherFailures } from "./compose-answer.ts";
import type { ConversationContext } from "./conversation-context.ts";
import { conversationLimits } from "./conversation-limits.ts";

/** A conversation in progress: its post, and the vendor's side of it. */
export interface ConversationInHand {
  readonly taken: TakenPost;
  readonly conversation: StoredConversation;
  /** The sender of its source. */
  readonly sender: AlertSender;
  readonly client: ConversationClient;
  /** Aborted when the attempt has taken too long. */
  readonly signal: AbortSignal;
}

/**
 * Acknowledges a request, reads the discussion, opens its incident, and names the other failures that it may be about.
 * Idempotent. Rejects when the discussion can't be read.
 */
export async function startConversation(
  context: ConversationContext,
  { taken, conversation, sender, client, signal }: ConversationInHand,
  request: ConversationRequest,
): Promise<void> {
  if (conversation.incidentId !== null) return;
  const courtesy = AbortSignal.any([signal, AbortSignal.timeout(conversationLimits.courtesyWithinMs)]);
  if (conversation.messageId === null) {
    // Vendors wait for it: Linear considers an agent gone that is silent for 10 s.
    await asCourtesy(context, taken, "acknowledgment", async () => {
      const options = { replaces: null, key: taken.id, signal: courtesy };
      const messageId = await client.acknowledge(request, acknowledgment(null), options);
      if (messageId !== null) await context.control.conversations.noteAcknowledged(taken, messageId);
    });
  }
  await asCourtesy(context, taken, "state", () => client.show(conversation.place, "PROCESSING", courtesy));
  const discussion = await client.read(conversation.place, signal);
  const { failure, others } = await openForConversation(context, { conversation, request, discussion }, sender);
  if (failure === null || others.length === 0) return;
  const message = otherFailures(failure, others, context.appUrl);
  await asCourtesy(context, taken, "other-failures", () =>
    client.post(conversation.place, message, { replaces: null, key: `${taken.id} others`, signal: courtesy }),
  );
}

/** Runs an optional step: people get their answer without it. */
async function asCourtesy(
  { logger, metrics }: ConversationContext,
  { id }: TakenPost,
  kind: "state" | "acknowledgment" | "other-failures",
  act: () => Promise<unknown>,
): Promise<void> {
  try {
    await act();
    metrics.conversationPosts.inc({ kind, outcome: "posted" });
  } catch (error) {
    metrics.conversationPosts.inc({ kind, outcome: "given_up" });
    logger.warn({ err: error, post: id, kind }, "a request in a conversation was not acknowledged");
  }
}

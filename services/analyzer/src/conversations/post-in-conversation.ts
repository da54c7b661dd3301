import type { KnownAlertSource, PostOutcome, TakenPost } from "@whence/storage";
import { alertSenders, type ConversationClient, VendorFailure } from "@whence/vendors";
import type { ConversationKind } from "../metrics.ts";
import { afterFailure } from "./after-failure.ts";
import type { ConversationContext } from "./conversation-context.ts";
import { conversationLimits } from "./conversation-limits.ts";
import { refusalAt } from "./refusal.ts";
import { sayInConversation } from "./say-in-conversation.ts";
import { sayUnreadable } from "./say-unreadable.ts";
import { startConversation } from "./start-conversation.ts";

/** The outcome of an attempt, and the kind of post, for the metrics. */
export interface Attempted {
  readonly kind: ConversationKind;
  readonly outcome: PostOutcome;
}

/**
 * Attempts a post. Posts nothing unless the vendor confirms that the requester and the readers may see it. Null when
 * its conversation is gone.
 */
export async function postInConversation(context: ConversationContext, taken: TakenPost): Promise<Attempted | null> {
  const { control, logger, clock } = context;
  const conversation = await control.scope(taken.scopeId).conversations.find(taken.conversationId);
  const source = conversation && (await control.alertSources.find(conversation.sourceId));
  const sender = source && (context.senders ?? alertSenders).find(source.kind);
  if (!conversation || !source || !sender) return null;
  const { kind, asked } = taken;
  let client: ConversationClient | undefined;
  let isLetIn = false;
  try {
    client = openClient(context, source);
    const signal = AbortSignal.timeout(conversationLimits.attemptWithinMs);
    const asking = { ...source, asked };
    const reason = await refusalAt(client, taken.place ?? conversation.place, asking, signal);
    if (reason !== null) return refuse(context, taken, reason);
    isLetIn = true;
    const inHand = { taken, conversation, sender, client, signal };
    if (kind === "start" && asked && conversation.stoppedAt === null) {
      await startConversation(context, inHand, { ...asked, place: conversation.place });
      return { kind, outcome: { state: "posted" } };
    }
    const said = await sayInConversation(context, inHand);
    return { kind: said, outcome: { state: kind === "start" ? "called_off" : "posted" } };
  } catch (error) {
    logger.warn({ err: error, post: taken.id, attempt: taken.attempt }, "nothing could be said in a conversation");
    const outcome = afterFailure(error, taken, clock());
    if (client && isLetIn && kind === "start" && outcome.state === "given_up" && conversation.stoppedAt === null) {
      await sayUnreadable(context, { taken, conversation, client }, outcome.reason);
    }
    return { kind, outcome };
  } finally {
    await client?.close();
  }
}

/** Silent: an answer to a stranger would reveal that there is something to ask about. */
function refuse({ logger }: ConversationContext, { id, kind }: TakenPost, reason: string): Attempted {
  const { rememberedRefusalsMax: rememberedMax } = conversationLimits;
  logger.info({ post: id, kind }, "who asks or reads in a conversation may not know its answer");
  return { kind, outcome: { state: "refused", reason, rememberedMax } };
}

function openClient(
  { vendors, outbound }: ConversationContext,
  { kind, inputs }: KnownAlertSource,
): ConversationClient {
  const vendor = vendors[kind];
  if (!vendor) throw new VendorFailure("invalid-input", `a source of the kind ${kind} takes part in no conversations`);
  return vendor.open(inputs, outbound);
}

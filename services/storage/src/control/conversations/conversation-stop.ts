import { type Kysely, sql, type Transaction } from "kysely";
import { newId } from "../ids.ts";
import type { ControlTables } from "../tables.ts";
import type { CalledOff } from "./conversation-db.ts";
import { queuePosts } from "./conversation-posts.ts";

interface OfSource {
  readonly scopeId: string;
  readonly sourceId: string;
}

/** Whether a conversation has requests; without any, it only records a cancellation. */
export const hasPosts = sql<boolean>`exists (
  select 1 from conversation_post where conversation_post.conversation_id = conversation.id
)`;
const isAnswered = sql<boolean>`exists (
  select 1 from conversation_post
  where conversation_post.conversation_id = conversation.id and conversation_post.said in ('answer', 'failure')
)`;

/**
 * Cancels an unanswered conversation and queues the confirmation. Webhooks arrive in any order: the cancellation of an
 * unknown conversation is stored as its row.
 */
export async function stopConversation(
  transaction: Transaction<ControlTables>,
  of: OfSource,
  stopped: CalledOff,
  { now, rememberedMax }: { readonly now: Date; readonly rememberedMax: number },
): Promise<boolean> {
  if (await remember(transaction, of, stopped, now)) {
    await forgetOldest(transaction, of, rememberedMax);
    return true;
  }
  const { thread, at, place } = stopped;
  const unanswered = () =>
    transaction
      .updateTable("conversation")
      .set({ stopped_at: at, updated_at: now.toISOString() })
      .where("scope_id", "=", of.scopeId)
      .where("source_id", "=", of.sourceId)
      .where("thread", "=", thread)
      .where("asked_at", "<=", at)
      .where(({ not }) => not(isAnswered))
      .returning("id");
  // A request that is still on its way may be between the two stops.
  await unanswered().where("stopped_at", "<", at).execute();
  const conversation = await unanswered().where("stopped_at", "is", null).executeTakeFirst();
  if (!conversation) return false;
  const about = { conversationId: conversation.id, scopeId: of.scopeId, now };
  await queuePosts(transaction, [{ ...about, key: `stop:${at}`, kind: "stop", request: { place } }]);
  return true;
}

/**
 * Stores the cancellation as a conversation that failed before it began: an earlier request stays canceled, a later one
 * starts it.
 */
async function remember(
  transaction: Transaction<ControlTables>,
  { scopeId, sourceId }: OfSource,
  { thread, at, place }: CalledOff,
  now: Date,
): Promise<boolean> {
  const remembered = await transaction
    .insertInto("conversation")
    .values({
      id: newId("cnv_"),
      scope_id: scopeId,
      source_id: sourceId,
      thread,
      status: "FAILED",
      how: "mentioned",
      place_json: JSON.stringify(place),
      title: null,
      url: null,
      incident_id: null,
      message_id: null,
      asked_at: at,
      updated_at: now.toISOString(),
      stopped_at: at,
    })
    .onConflict((conflict) => conflict.columns(["source_id", "thread"]).doNothing())
    .returning("id")
    .executeTakeFirst();
  return remembered !== undefined;
}

async function forgetOldest(db: Kysely<ControlTables>, of: OfSource, rememberedMax: number): Promise<void> {
  const remembered = () =>
    db
      .selectFrom("conversation")
      .select("id")
      .where("scope_id", "=", of.scopeId)
      .where("source_id", "=", of.sourceId)
      .where(({ not }) => not(hasPosts));
  await db
    .deleteFrom("conversation")
    .where("id", "in", remembered())
    .where("id", "not in", remembered().orderBy("id", "desc").limit(rememberedMax))
    .execute();
}

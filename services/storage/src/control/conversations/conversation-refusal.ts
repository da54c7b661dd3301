import { sql, type Transaction } from "kysely";
import { z } from "zod";
import type { ControlTables } from "../tables.ts";
import type { TakenPost } from "./conversation-db.ts";
import { startOver } from "./conversation-start.ts";

const askedSchema = z.object({
  at: z.string(),
  how: z.enum(["assigned", "mentioned"]),
  place: z.record(z.string(), z.string()),
});

/**
 * Goes on after a refusal: someone who asked meanwhile starts the conversation in place of who was refused. Strangers may ask
 * without end, so of a conversation only the latest refused request is kept, and of a source so many conversations that were
 * never answered, the newest.
 */
export async function goOnAfterRefusal(
  transaction: Transaction<ControlTables>,
  taken: TakenPost,
  rememberedMax: number,
  now: Date,
): Promise<void> {
  await transaction
    .deleteFrom("conversation_post")
    .where("scope_id", "=", taken.scopeId)
    .where("conversation_id", "=", taken.conversationId)
    .where("state", "=", "refused")
    .where("id", "<", taken.id)
    .execute();
  if (taken.kind !== "start" || (await startNext(transaction, taken, now))) return;
  await forgetOldest(transaction, taken, rememberedMax);
}

/** False when no one asked meanwhile. */
async function startNext(
  transaction: Transaction<ControlTables>,
  { conversationId: id, scopeId }: TakenPost,
  now: Date,
): Promise<boolean> {
  const next = await transaction
    .selectFrom("conversation_post")
    .select(["id", "request_json"])
    .where("scope_id", "=", scopeId)
    .where("conversation_id", "=", id)
    .where("kind", "=", "reply")
    .where("state", "=", "waiting")
    .orderBy("id")
    .executeTakeFirst();
  if (!next?.request_json) return false;
  return startOver(transaction, { id, postId: next.id }, askedSchema.parse(JSON.parse(next.request_json)), now);
}

/** Whether all that is left of a conversation is that it was refused. */
const isOnlyRefused = sql<boolean>`conversation.incident_id is null and not exists (
  select 1 from conversation_post
  where conversation_post.conversation_id = conversation.id and conversation_post.state <> 'refused'
) and exists (
  select 1 from conversation_post where conversation_post.conversation_id = conversation.id
)`;

async function forgetOldest(
  transaction: Transaction<ControlTables>,
  { conversationId, scopeId }: TakenPost,
  rememberedMax: number,
): Promise<void> {
  const source = transaction.selectFrom("conversation").select("source_id").where("id", "=", conversationId);
  const refused = () =>
    transaction
      .selectFrom("conversation")
      .select("id")
      .where("scope_id", "=", scopeId)
      .where("source_id", "=", source)
      .where(isOnlyRefused);
  await transaction
    .deleteFrom("conversation")
    .where("id", "in", refused())
    .where("id", "not in", refused().orderBy("id", "desc").limit(rememberedMax))
    .execute();
}

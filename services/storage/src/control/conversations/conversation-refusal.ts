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
 * Continues after a refusal with the next request in the conversation. Strangers can ask without limit, so only a
 * conversation's latest refused request and a source's newest unanswered conversations are kept.
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

/** Starts the conversation with the next request; false when there is none. */
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

/** Whether a conversation has refused requests only. */
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

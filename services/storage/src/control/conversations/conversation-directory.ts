import { type Kysely, type Selectable, sql, type Transaction } from "kysely";
import { z } from "zod";
import { inTransaction } from "../databases/in-transaction.ts";
import { progressOf } from "../messages/message-columns.ts";
import { changeAttempt, takeInTurn } from "../messages/taken-in-turn.ts";
import type { ControlTables } from "../tables.ts";
import type { AskedInConversation, ConversationDirectory, PostOutcome, TakenPost } from "./conversation-db.ts";
import { goOnAfterRefusal } from "./conversation-refusal.ts";
import type { ConversationPostTable } from "./conversation-tables.ts";

const kindSchema = z.enum(["start", "reply", "answer", "stop"]);
const saidSchema = z.enum(["answer", "failure", "under-way", "existing", "follow-up", "stopped", "nothing"]);
const placeSchema = z.record(z.string(), z.string());
const placedSchema = z.object({ place: placeSchema });
const askedSchema = z.object({
  thread: z.string(),
  requestId: z.string(),
  how: z.enum(["assigned", "mentioned"]),
  question: z.string(),
  author: z.string(),
  at: z.string(),
  place: placeSchema,
}) satisfies z.ZodType<AskedInConversation>;

/** The posts to make in the conversations of all scopes. */
export function conversationDirectory(db: Kysely<ControlTables>): ConversationDirectory {
  return {
    async take(now, bounds) {
      return (await takeInTurn(db, "conversation_post", now, bounds, isFirst)).map(toTaken);
    },
    noteSaid: (taken, said, messageId) =>
      inTransaction(db, async (transaction) => {
        if (!(await changeAttempt(transaction, "conversation_post", taken, { reason: null }))) return false;
        await transaction.updateTable("conversation_post").set({ said }).where("id", "=", taken.id).execute();
        if (messageId !== null) await keepMessage(transaction, taken, messageId);
        return true;
      }),
    noteAcknowledged: (taken, messageId) => keepMessage(db, taken, messageId),
    settle: (taken, outcome, now) =>
      inTransaction(db, async (transaction) => {
        if (!(await changeAttempt(transaction, "conversation_post", taken, progressOf(outcome, now)))) return false;
        const isOver = overStates.includes(outcome.state);
        if (isOver && taken.kind === "start") await failUnstarted(transaction, taken, now);
        if (outcome.state === "refused") await goOnAfterRefusal(transaction, taken, outcome.rememberedMax, now);
        return true;
      }),
  };
}

/** The states of a start that opened no incident. */
const overStates: readonly PostOutcome["state"][] = ["given_up", "called_off", "refused"];

/** Requests are answered in order. A post that was made and only lacks its final state doesn't block the next. */
const isFirst = sql<boolean>`not exists (
  select 1 from conversation_post as earlier
  where earlier.conversation_id = message.conversation_id and earlier.id < message.id
    and earlier.state in ('waiting', 'sending') and earlier.said is null
)`;

async function keepMessage(
  db: Kysely<ControlTables>,
  { conversationId, scopeId }: TakenPost,
  messageId: string,
): Promise<void> {
  await db
    .updateTable("conversation")
    .set({ message_id: messageId })
    .where("id", "=", conversationId)
    .where("scope_id", "=", scopeId)
    .execute();
}

async function failUnstarted(
  transaction: Transaction<ControlTables>,
  { conversationId, scopeId }: TakenPost,
  now: Date,
): Promise<void> {
  await transaction
    .updateTable("conversation")
    .set({ status: "FAILED", updated_at: now.toISOString() })
    .where("id", "=", conversationId)
    .where("scope_id", "=", scopeId)
    .where("incident_id", "is", null)
    .execute();
}

function toTaken(row: Selectable<ConversationPostTable>): TakenPost {
  const { request_json: request, said } = row;
  const kind = kindSchema.parse(row.kind);
  const parsed: unknown = request === null ? null : JSON.parse(request);
  return {
    id: row.id,
    scopeId: row.scope_id,
    conversationId: row.conversation_id,
    kind,
    asked: kind === "start" || kind === "reply" ? askedSchema.parse(parsed) : null,
    place: parsed === null ? null : placedSchema.parse(parsed).place,
    said: said === null ? null : saidSchema.parse(said),
    createdAt: row.created_at,
    attempt: Number(row.attempts),
  };
}

import { type Kysely, type Selectable, sql, type Transaction, type Updateable } from "kysely";
import { z } from "zod";
import type { AskedInConversation, ConversationDirectory, PostOutcome, TakenPost } from "./conversation-db.ts";
import type { ConversationPostTable } from "./conversation-tables.ts";
import { inTransaction } from "./in-transaction.ts";
import type { ControlTables } from "./tables.ts";

const kindSchema = z.enum(["start", "reply", "answer"]);
const saidSchema = z.enum(["answer", "failure", "under-way", "existing", "follow-up", "nothing"]);
const askedSchema = z.object({
  ...{ thread: z.string(), requestId: z.string(), how: z.enum(["assigned", "mentioned"]), question: z.string() },
  ...{ author: z.string(), at: z.string(), place: z.record(z.string(), z.string()) },
}) satisfies z.ZodType<AskedInConversation>;

/** What there is to say in the conversations of all scopes. */
export function conversationDirectory(db: Kysely<ControlTables>): ConversationDirectory {
  return {
    async take(now, bounds) {
      const taken: TakenPost[] = [];
      for (const row of await due(db, now, bounds)) {
        const post = toTaken(row);
        const holdUntil = new Date(now.getTime() + bounds.holdMs).toISOString();
        const isOurs = await change(
          db,
          { id: post.id, attempt: post.attempt - 1 },
          {
            ...{ state: "sending", attempts: post.attempt, next_attempt_at: holdUntil },
          },
        );
        if (isOurs) taken.push(post);
      }
      return taken;
    },
    noteSaid: (taken, said, messageId) =>
      inTransaction(db, async (transaction) => {
        if (!(await change(transaction, taken, { said, reason: null }))) return false;
        if (messageId !== null) await keepMessage(transaction, taken, messageId);
        return true;
      }),
    noteAcknowledged: (taken, messageId) => keepMessage(db, taken, messageId),
    settle: (taken, outcome, now) =>
      inTransaction(db, async (transaction) => {
        if (!(await change(transaction, taken, settledColumns(outcome, now)))) return false;
        const isOver = outcome.state === "given_up" || outcome.state === "called_off";
        if (isOver && taken.kind === "start") await failUnstarted(transaction, taken, now);
        return true;
      }),
  };
}

/** Two processes that ask at once see the same rows here, and each row goes to the one whose update comes first. */
function due(
  db: Kysely<ControlTables>,
  now: Date,
  { max, perScopeMax }: Parameters<ConversationDirectory["take"]>[1],
): Promise<Selectable<ConversationPostTable>[]> {
  const at = now.toISOString();
  const inHand = db
    .selectFrom("conversation_post")
    .select(({ fn }) => ["scope_id", fn.countAll<number>().as("held")])
    .where("state", "=", "sending")
    .where("next_attempt_at", ">", at)
    .groupBy("scope_id");
  const waiting = db
    .selectFrom("conversation_post as post")
    .leftJoin(inHand.as("in_hand"), "in_hand.scope_id", "post.scope_id")
    .selectAll("post")
    .select([
      sql<number>`coalesce(in_hand.held, 0)`.as("held"),
      sql<number>`row_number() over (partition by post.scope_id order by post.next_attempt_at, post.id)`.as("place"),
    ])
    .where("post.state", "in", ["waiting", "sending"])
    .where("post.next_attempt_at", "<=", at)
    // What was asked first is answered first; what was said and has only its state to show holds nothing up.
    .where(({ not, exists, selectFrom }) =>
      not(
        exists(
          selectFrom("conversation_post as earlier")
            .select("earlier.id")
            .whereRef("earlier.conversation_id", "=", "post.conversation_id")
            .whereRef("earlier.id", "<", "post.id")
            .where("earlier.state", "in", ["waiting", "sending"])
            .where("earlier.said", "is", null),
        ),
      ),
    );
  return db
    .selectFrom(waiting.as("waiting"))
    .selectAll("waiting")
    .where(sql<boolean>`place + held <= ${perScopeMax}`)
    .orderBy("place")
    .orderBy("next_attempt_at")
    .limit(max)
    .execute();
}

/** Changes it while it is not settled and that attempt is its latest. */
async function change(
  db: Kysely<ControlTables>,
  { id, attempt }: Pick<TakenPost, "id" | "attempt">,
  values: Updateable<ConversationPostTable>,
): Promise<boolean> {
  const { numUpdatedRows } = await db
    .updateTable("conversation_post")
    .set(values)
    .where("id", "=", id)
    .where("attempts", "=", attempt)
    .where("settled_at", "is", null)
    .executeTakeFirst();
  return numUpdatedRows > 0n;
}

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

function settledColumns(outcome: PostOutcome, now: Date): Updateable<ConversationPostTable> {
  const { state } = outcome;
  if (outcome.state === "waiting") {
    return { state, reason: outcome.reason, next_attempt_at: outcome.nextAttemptAt.toISOString() };
  }
  const reason = outcome.state === "given_up" ? outcome.reason : null;
  return { state, reason, settled_at: now.toISOString() };
}

function toTaken(row: Selectable<ConversationPostTable>): TakenPost {
  const { request_json: asked, said } = row;
  return {
    ...{ id: row.id, scopeId: row.scope_id, conversationId: row.conversation_id, kind: kindSchema.parse(row.kind) },
    asked: asked === null ? null : askedSchema.parse(JSON.parse(asked)),
    said: said === null ? null : saidSchema.parse(said),
    ...{ createdAt: row.created_at, attempt: Number(row.attempts) + 1 },
  };
}

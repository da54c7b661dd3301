import { type Conversation, conversationStatuses } from "@whence/protocol";
import { type Kysely, type Selectable, sql, type Transaction } from "kysely";
import { z } from "zod";
import type { Allowance } from "../access/allowance.ts";
import { inTransaction } from "../databases/in-transaction.ts";
import { newId } from "../ids.ts";
import type { NewIncident, StoredIncident } from "../incidents/incident-db.ts";
import { packInput } from "../incidents/incident-input.ts";
import { openIncident } from "../incidents/open-incident.ts";
import { withMerged } from "../merges/with-merged.ts";
import { countOpening } from "../sources/source-allowance.ts";
import type { ControlTables } from "../tables.ts";
import type { AskedInConversation, ConversationRepository, StoredConversation } from "./conversation-db.ts";
import { endIfAnalyzed } from "./conversation-end.ts";
import { queuePosts } from "./conversation-posts.ts";
import { startOver } from "./conversation-start.ts";
import { hasPosts, stopConversation } from "./conversation-stop.ts";
import type { ConversationTable } from "./conversation-tables.ts";

const placeSchema = z.record(z.string(), z.string());
const statusSchema = z.enum(conversationStatuses);

/** The conversations of one scope. */
export function conversationRepository(db: Kysely<ControlTables>, scopeId: string): ConversationRepository {
  return {
    ask: (sourceId, asked, now) =>
      inTransaction(db, (transaction) => ask(transaction, { scopeId, sourceId }, asked, now)),
    stop: (sourceId, stopped, bounds) =>
      inTransaction(db, (transaction) => stopConversation(transaction, { scopeId, sourceId }, stopped, bounds)),
    find: (id) => find(db, { scopeId, id }),
    async open(id, about, incident, now) {
      const input = "id" in incident ? null : await packInput(incident.opening.input);
      return inTransaction(db, async (transaction) => {
        if (!(await describe(transaction, { scopeId, id }, about, now))) return null;
        if ("id" in incident) return join(transaction, { scopeId, id }, incident.id, now);
        return input === null ? null : open(transaction, { scopeId, id }, { ...incident, input, now });
      });
    },
    list: (sourceId, limit) => list(db, { scopeId, sourceId }, limit),
    async ofIncident(incidentId, limit) {
      const rows = await db
        .selectFrom("conversation")
        .select(["source_id", "title", "url", "asked_at"])
        .where("scope_id", "=", scopeId)
        .where("incident_id", "in", withMerged(db, incidentId))
        .orderBy("asked_at", "desc")
        .orderBy("id", "desc")
        .limit(limit)
        .execute();
      return rows.map(({ source_id: sourceId, ...conversation }) => ({ sourceId, ...conversation }));
    },
  };
}

interface Named {
  readonly scopeId: string;
  readonly id: string;
}

async function find(db: Kysely<ControlTables>, { scopeId, id }: Named): Promise<StoredConversation | null> {
  const row = await db
    .selectFrom("conversation")
    .selectAll()
    .where("scope_id", "=", scopeId)
    .where("id", "=", id)
    .executeTakeFirst();
  if (!row) return null;
  const said = await db
    .selectFrom("conversation_post")
    .select("said")
    .where("conversation_id", "=", id)
    .where("said", "in", ["answer", "failure", "under-way", "stopped"])
    .orderBy("id")
    .execute();
  const all = said.map((post) => post.said);
  return {
    ...toConversation(row),
    isUnderWayTold: all.lastIndexOf("under-way") > all.lastIndexOf("stopped"),
    isAnswered: all.some((one) => one === "answer" || one === "failure"),
  };
}

async function ask(
  transaction: Transaction<ControlTables>,
  of: { readonly scopeId: string; readonly sourceId: string },
  asked: AskedInConversation,
  now: Date,
): Promise<boolean> {
  const id = newId("cnv_");
  const started = await transaction
    .insertInto("conversation")
    .values({
      id,
      scope_id: of.scopeId,
      source_id: of.sourceId,
      thread: asked.thread,
      status: "PROCESSING",
      place_json: JSON.stringify(asked.place),
      how: asked.how,
      title: null,
      url: null,
      incident_id: null,
      message_id: null,
      asked_at: asked.at,
      updated_at: now.toISOString(),
      stopped_at: null,
    })
    .onConflict((conflict) => conflict.columns(["source_id", "thread"]).doNothing())
    .returning("id")
    .executeTakeFirst();
  const known = started ?? (await knownConversation(transaction, of, asked));
  // The source belongs to another scope, which can't be.
  if (!known) return false;
  const about = { conversationId: known.id, scopeId: of.scopeId, now };
  const kind = started ? "start" : "reply";
  const [postId] = await queuePosts(transaction, [
    { ...about, key: `request:${asked.requestId}`, kind, request: asked },
  ]);
  if (postId === undefined) return false;
  if (!started) await resume(transaction, { id: known.id, postId }, asked, now);
  return true;
}

function knownConversation(
  transaction: Transaction<ControlTables>,
  { scopeId, sourceId }: { readonly scopeId: string; readonly sourceId: string },
  { thread }: AskedInConversation,
): Promise<{ id: string } | undefined> {
  return transaction
    .selectFrom("conversation")
    .select("id")
    .where("scope_id", "=", scopeId)
    .where("source_id", "=", sourceId)
    .where("thread", "=", thread)
    .executeTakeFirst();
}

/**
 * Handles another request: it revokes an earlier cancellation, and restarts a conversation that failed before it began.
 */
async function resume(
  transaction: Transaction<ControlTables>,
  { id, postId }: { readonly id: string; readonly postId: string },
  asked: AskedInConversation,
  now: Date,
): Promise<void> {
  const { at } = asked;
  const updated_at = now.toISOString();
  const conversation = () => transaction.updateTable("conversation").where("id", "=", id);
  await conversation().set({ updated_at, stopped_at: null }).where("stopped_at", "<", at).execute();
  await conversation().set({ updated_at, asked_at: at }).where("asked_at", "<", at).execute();
  await startOver(transaction, { id, postId }, asked, now);
}

/** False when the conversation has an incident, or is gone. */
async function describe(
  transaction: Transaction<ControlTables>,
  { scopeId, id }: Named,
  { title, url }: { readonly title: string; readonly url: string | null },
  now: Date,
): Promise<boolean> {
  const { numUpdatedRows } = await transaction
    .updateTable("conversation")
    .set({ title, url, updated_at: now.toISOString() })
    .where("scope_id", "=", scopeId)
    .where("id", "=", id)
    .where("incident_id", "is", null)
    .executeTakeFirst();
  return numUpdatedRows > 0n;
}

async function join(
  transaction: Transaction<ControlTables>,
  { scopeId, id }: Named,
  namedIncidentId: string,
  now: Date,
): Promise<"joined"> {
  const { id: incidentId } = await transaction
    .selectFrom("incident")
    .select(({ fn }) => fn.coalesce("merged_into", "id").as("id"))
    .where("scope_id", "=", scopeId)
    .where("id", "=", namedIncidentId)
    .executeTakeFirstOrThrow();
  await link(transaction, id, incidentId);
  await endIfAnalyzed(transaction, incidentId, now);
  return "joined";
}

interface Opening {
  readonly opening: NewIncident;
  readonly allowance: Allowance;
  readonly input: Awaited<ReturnType<typeof packInput>>;
  readonly now: Date;
}

async function open(
  transaction: Transaction<ControlTables>,
  { scopeId, id }: Named,
  { opening, allowance, input, now }: Opening,
): Promise<StoredIncident> {
  const { source_id: sourceId } = await transaction
    .selectFrom("conversation")
    .select("source_id")
    .where("id", "=", id)
    .executeTakeFirstOrThrow();
  await countOpening(transaction, sourceId, allowance, now);
  const opened = await openIncident(transaction, scopeId, opening, input);
  await link(transaction, id, opened.id);
  return opened;
}

async function link(transaction: Transaction<ControlTables>, id: string, incidentId: string): Promise<void> {
  await transaction.updateTable("conversation").set({ incident_id: incidentId }).where("id", "=", id).execute();
}

async function list(
  db: Kysely<ControlTables>,
  { scopeId, sourceId }: { readonly scopeId: string; readonly sourceId: string },
  limit: number,
): Promise<readonly Conversation[]> {
  const latestFailed = db
    .selectFrom("conversation_post")
    .select([
      "conversation_id",
      "reason",
      "state",
      sql<number>`row_number() over (partition by conversation_id order by id desc)`.as("place"),
    ])
    .where("scope_id", "=", scopeId)
    .where("reason", "is not", null);
  const rows = await db
    .selectFrom("conversation")
    .leftJoin(latestFailed.as("failed"), (join) =>
      join.onRef("failed.conversation_id", "=", "conversation.id").on("failed.place", "=", 1),
    )
    .select(["thread", "title", "url", "status", "incident_id", "asked_at", "updated_at", "stopped_at"])
    .select(["failed.reason", "failed.state"])
    .where("conversation.scope_id", "=", scopeId)
    .where("source_id", "=", sourceId)
    .where(hasPosts)
    .orderBy("updated_at", "desc")
    .orderBy("conversation.id", "desc")
    .limit(limit)
    .execute();
  return rows.map(({ status, reason, state, ...row }) => ({
    ...row,
    status: statusSchema.parse(status),
    failed: reason === null ? null : { reason, given_up: state === "given_up", refused: state === "refused" },
  }));
}

function toConversation(row: Selectable<ConversationTable>): Omit<StoredConversation, "isUnderWayTold" | "isAnswered"> {
  return {
    id: row.id,
    scopeId: row.scope_id,
    sourceId: row.source_id,
    thread: row.thread,
    place: placeSchema.parse(JSON.parse(row.place_json)),
    status: statusSchema.parse(row.status),
    incidentId: row.incident_id,
    messageId: row.message_id,
    stoppedAt: row.stopped_at,
  };
}

import { type Kysely, sql } from "kysely";
import type { ConversationPostTable } from "../conversations/conversation-tables.ts";
import type { NotificationDeliveryTable } from "../notifications/notification-tables.ts";
import type { ControlTables } from "../tables.ts";
import type { MessageProgress } from "./message-columns.ts";

/** The tables of messages to people. */
interface MessageTables {
  conversation_post: ConversationPostTable;
  notification_delivery: NotificationDeliveryTable;
}

/** How many messages one call takes, and for how long. */
export interface TakingBounds {
  readonly max: number;
  /** At most this many messages of a scope are being sent at a time, by all processes together. */
  readonly perScopeMax: number;
  /** After this, a message that wasn't settled is taken again. */
  readonly holdMs: number;
}

/**
 * Takes the messages that are due: each scope in its turn, the longest waiting first, and at most `perScopeMax` of a scope,
 * including those that other processes are sending. A taken message is due again after `holdMs`. `isReady`, a condition on
 * `message`, holds others back.
 */
export async function takeInTurn<Table extends keyof MessageTables>(
  db: Kysely<ControlTables>,
  table: Table,
  now: Date,
  bounds: TakingBounds,
  isReady = sql<boolean>`1 = 1`,
): Promise<readonly MessageTables[Table][]> {
  const holdUntil = new Date(now.getTime() + bounds.holdMs).toISOString();
  const taken: MessageTables[Table][] = [];
  for (const row of await due(db, table, now, bounds, isReady)) {
    const [before, attempts] = [Number(row.attempts), Number(row.attempts) + 1];
    const progress = { state: "sending", attempts, next_attempt_at: holdUntil };
    if (await changeAttempt(db, table, { id: row.id, attempt: before }, progress)) taken.push({ ...row, ...progress });
  }
  return taken;
}

/** Changes a message that isn't settled and whose latest attempt is this one. False when there is none. */
export async function changeAttempt(
  db: Kysely<ControlTables>,
  table: keyof MessageTables,
  { id, attempt }: { readonly id: string; readonly attempt: number },
  values: MessageProgress,
): Promise<boolean> {
  const { numUpdatedRows } = await db
    .updateTable(table)
    .set(values)
    .where("id", "=", id)
    .where("attempts", "=", attempt)
    .where("settled_at", "is", null)
    .executeTakeFirst();
  return numUpdatedRows > 0n;
}

/**
 * Reads the rows that are due. Concurrent processes may read the same ones: each row goes to the first to update it.
 */
async function due<Table extends keyof MessageTables>(
  db: Kysely<ControlTables>,
  table: Table,
  now: Date,
  { max, perScopeMax }: TakingBounds,
  isReady: ReturnType<typeof sql<boolean>>,
): Promise<readonly MessageTables[Table][]> {
  const at = now.toISOString();
  const { rows } = await sql<MessageTables[Table]>`
    select * from (
      select message.*, coalesce(in_hand.held, 0) as held,
        row_number() over (partition by message.scope_id order by message.next_attempt_at, message.id) as place
      from ${sql.table(table)} as message
      left join (
        select scope_id, count(*) as held from ${sql.table(table)}
        where state = 'sending' and next_attempt_at > ${at} group by scope_id
      ) as in_hand on in_hand.scope_id = message.scope_id
      where message.state in ('waiting', 'sending') and message.next_attempt_at <= ${at} and ${isReady}
    ) as waiting
    where place + held <= ${perScopeMax} order by place, next_attempt_at limit ${max}`.execute(db);
  return rows;
}

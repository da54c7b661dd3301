import type { DatabaseSync, StatementSync } from "node:sqlite";
import type { DeadLetter, NewMessage, QueueDepth } from "./queue.ts";
import type { Receipt, Received } from "./queue-operation.ts";

/**
 * `due` is null for a message that anybody may take, and else the time until which it is held or delayed. Bodies stand
 * apart, since SQLite rewrites the whole row when an attempt is counted. `seen` is the deduplication memory.
 */
const schema = `
  CREATE TABLE IF NOT EXISTS messages (
    seq INTEGER PRIMARY KEY AUTOINCREMENT,
    topic TEXT NOT NULL,
    id TEXT NOT NULL,
    attempts INTEGER NOT NULL DEFAULT 0,
    held INTEGER NOT NULL DEFAULT 0,
    due INTEGER
  );
  CREATE INDEX IF NOT EXISTS messages_ready ON messages (topic, seq) WHERE due IS NULL;
  CREATE INDEX IF NOT EXISTS messages_due ON messages (topic, due) WHERE due IS NOT NULL;
  CREATE TABLE IF NOT EXISTS bodies (seq INTEGER PRIMARY KEY, body TEXT NOT NULL);
  CREATE TABLE IF NOT EXISTS dead_letters (
    seq INTEGER PRIMARY KEY,
    topic TEXT NOT NULL,
    id TEXT NOT NULL,
    attempts INTEGER NOT NULL,
    reason TEXT NOT NULL,
    buried_at INTEGER NOT NULL
  );
  CREATE INDEX IF NOT EXISTS dead_letters_newest ON dead_letters (topic, buried_at, seq);
  CREATE TABLE IF NOT EXISTS seen (
    topic TEXT NOT NULL, id TEXT NOT NULL, until INTEGER NOT NULL, PRIMARY KEY (topic, id)
  ) WITHOUT ROWID;
  CREATE INDEX IF NOT EXISTS seen_until ON seen (until);
`;

/** Bounds the work that one publish does for those before it; twice what it may add, so the memory shrinks. */
const forgottenPerPublishMin = 64;

/** Characters handed out at once: a receiver that asks for 100 messages of 8 MiB each is not to be drowned in them. */
const receivedLengthMax = 32 * 1_048_576;

interface MessageRow {
  seq: number;
  topic: string;
  id: string;
  attempts: number;
}

/** The queue's tables and the SQL over them. Synchronous; whoever calls owns the transaction. */
export class MessageTable {
  readonly #db: DatabaseSync;
  readonly #statements = new Map<string, StatementSync>();

  constructor(db: DatabaseSync) {
    this.#db = db;
    db.exec(schema);
    // This process owns the file: what another life of it held is held by nobody. `due` 0 and not null, so that the
    // first look at the topic, which knows how many attempts are allowed, sees it.
    db.exec("UPDATE messages SET due = 0, held = 0 WHERE held = 1");
  }

  publish(topic: string, messages: readonly NewMessage[], now: number, rememberUntil: number): void {
    const forget = Math.max(forgottenPerPublishMin, 2 * messages.length);
    this.#run(
      "DELETE FROM seen WHERE (topic, id) IN (SELECT topic, id FROM seen WHERE until <= ? ORDER BY until LIMIT ?)",
      now,
      forget,
    );
    for (const { id, body } of messages) {
      const remembered = this.#run(
        `INSERT INTO seen (topic, id, until) VALUES (?1, ?2, ?3)
         ON CONFLICT (topic, id) DO UPDATE SET until = excluded.until WHERE seen.until <= ?4`,
        topic,
        id,
        rememberUntil,
        now,
      );
      if (remembered === 0) continue;
      const { lastInsertRowid } = this.#statement("INSERT INTO messages (topic, id) VALUES (?, ?)").run(topic, id);
      this.#run("INSERT INTO bodies (seq, body) VALUES (?, ?)", Number(lastInsertRowid), body);
    }
  }

  receive(topic: string, max: number, maxAttempts: number, now: number, holdUntil: number): Received[] {
    this.release(topic, maxAttempts, now);
    const ready = this.#oldest(topic, max);
    return ready.map(({ seq, id, attempts, body }) => {
      this.#run("UPDATE messages SET attempts = attempts + 1, held = 1, due = ? WHERE seq = ?", holdUntil, seq);
      return { seq, id, body, attempt: attempts + 1 };
    });
  }

  #oldest(topic: string, max: number): (MessageRow & { body: string })[] {
    const ready: (MessageRow & { body: string })[] = [];
    const rows = this.#statement(
      `SELECT seq, topic, id, attempts, body FROM messages JOIN bodies USING (seq)
       WHERE topic = ? AND due IS NULL ORDER BY seq LIMIT ?`,
    ).iterate(topic, max);
    let length = 0;
    for (const row of rows) {
      const message = row as unknown as MessageRow & { body: string };
      ready.push(message);
      length += message.body.length;
      if (length >= receivedLengthMax) break;
    }
    return ready;
  }

  /** Makes what is due free to take, or a dead letter when its attempts are used up. */
  release(topic: string, maxAttempts: number, now: number): void {
    const due = this.#all<MessageRow>(
      "SELECT seq, topic, id, attempts FROM messages WHERE topic = ? AND due <= ? ORDER BY due",
      topic,
      now,
    );
    for (const message of due) {
      if (message.attempts < maxAttempts) {
        this.#run("UPDATE messages SET due = NULL, held = 0 WHERE seq = ?", message.seq);
      } else {
        this.#bury(message, `not acknowledged in time on attempt ${message.attempts} of ${maxAttempts}`, now);
      }
    }
  }

  /** When the next held or delayed message of the topic becomes due. */
  nextDue(topic: string): number | null {
    const [row] = this.#all<{ due: number | null }>(
      "SELECT min(due) AS due FROM messages WHERE topic = ? AND due IS NOT NULL",
      topic,
    );
    return row?.due ?? null;
  }

  ack({ seq, attempt }: Receipt): void {
    const acknowledged = this.#run("DELETE FROM messages WHERE seq = ? AND attempts = ?", seq, attempt);
    if (acknowledged > 0) this.#run("DELETE FROM bodies WHERE seq = ?", seq);
  }

  retry(receipt: Receipt, reason: string, now: number, due: number, maxAttempts: number): void {
    if (receipt.attempt >= maxAttempts) this.bury(receipt, reason, now);
    else this.#run("UPDATE messages SET due = ?, held = 0 WHERE seq = ? AND attempts = ?", due, ...values(receipt));
  }

  bury(receipt: Receipt, reason: string, now: number): void {
    const [message] = this.#all<MessageRow>(
      "SELECT seq, topic, id, attempts FROM messages WHERE seq = ? AND attempts = ?",
      ...values(receipt),
    );
    if (message) this.#bury(message, reason, now);
  }

  extend(receipt: Receipt, holdUntil: number): void {
    this.#run("UPDATE messages SET due = ?, held = 1 WHERE seq = ? AND attempts = ?", holdUntil, ...values(receipt));
  }

  deadLetters(topic: string, max: number): DeadLetter[] {
    const rows = this.#all<{ id: string; body: string; attempts: number; reason: string; buried_at: number }>(
      `SELECT id, body, attempts, reason, buried_at FROM dead_letters JOIN bodies USING (seq)
       WHERE topic = ? ORDER BY buried_at DESC, seq DESC LIMIT ?`,
      topic,
      max,
    );
    return rows.map(({ id, body, attempts, reason, buried_at }) => {
      return { id, body, attempts, reason, buriedAt: new Date(buried_at).toISOString() };
    });
  }

  depth(topic: string): QueueDepth {
    const [row] = this.#all<{ pending: number; held: number; dead: number }>(
      `SELECT count(*) FILTER (WHERE held = 0) AS pending, count(*) FILTER (WHERE held = 1) AS held,
         (SELECT count(*) FROM dead_letters WHERE topic = ?1) AS dead FROM messages WHERE topic = ?1`,
      topic,
    );
    return row ?? { pending: 0, held: 0, dead: 0 };
  }

  #bury({ seq, topic, id, attempts }: MessageRow, reason: string, now: number): void {
    this.#run(
      "INSERT INTO dead_letters (seq, topic, id, attempts, reason, buried_at) VALUES (?, ?, ?, ?, ?, ?)",
      ...[seq, topic, id, attempts, reason, now],
    );
    this.#run("DELETE FROM messages WHERE seq = ?", seq);
  }

  #run(sql: string, ...parameters: (string | number)[]): number {
    return Number(this.#statement(sql).run(...parameters).changes);
  }

  #all<Row>(sql: string, ...parameters: (string | number)[]): Row[] {
    // The row's type is the statement's own column list, which stands at each call.
    return this.#statement(sql).all(...parameters) as Row[];
  }

  #statement(sql: string): StatementSync {
    const known = this.#statements.get(sql);
    if (known) return known;
    const prepared = this.#db.prepare(sql);
    this.#statements.set(sql, prepared);
    return prepared;
  }
}

function values({ seq, attempt }: Receipt): [number, number] {
  return [seq, attempt];
}

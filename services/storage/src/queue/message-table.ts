import type { DatabaseSync } from "node:sqlite";
import { type BuriedMessage, DeadLetterTable } from "./dead-letter-table.ts";
import type { DeadLetter, NewMessage, QueueDepth } from "./queue.ts";
import type { Receipt, Received } from "./queue-operation.ts";
import { StatementCache } from "./statement-cache.ts";

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
    due INTEGER,
    published_at INTEGER NOT NULL
  );
  CREATE INDEX IF NOT EXISTS messages_ready ON messages (topic, seq) WHERE due IS NULL;
  CREATE INDEX IF NOT EXISTS messages_due ON messages (topic, due) WHERE due IS NOT NULL;
  CREATE TABLE IF NOT EXISTS bodies (seq INTEGER PRIMARY KEY, body TEXT NOT NULL);
  CREATE TABLE IF NOT EXISTS seen (
    topic TEXT NOT NULL, id TEXT NOT NULL, until INTEGER NOT NULL, PRIMARY KEY (topic, id)
  ) WITHOUT ROWID;
  CREATE INDEX IF NOT EXISTS seen_until ON seen (until);
`;

/** Bounds the work that one publish does for those before it; twice what it may add, so the memory shrinks. */
const forgottenPerPublishMin = 64;

/** Characters handed out at once: a receiver that asks for 100 messages of 8 MiB each is not to be drowned in them. */
const receivedLengthMax = 32 * 1_048_576;

/** The queue's tables and the SQL over them. Synchronous; the caller owns the transaction. */
export class MessageTable {
  readonly #statements: StatementCache;
  readonly #dead: DeadLetterTable;

  /** Dead letters are kept up to `deadBytesMax` of bodies. */
  constructor(db: DatabaseSync, deadBytesMax: number) {
    this.#statements = new StatementCache(db);
    db.exec(schema);
    this.#dead = new DeadLetterTable(this.#statements, deadBytesMax);
    // This process owns the file, so a previous run no longer holds anything. `due` is 0 and not null, so that the first
    // look at the topic, which knows how many attempts are allowed, sees it.
    db.exec("UPDATE messages SET due = 0, held = 0 WHERE held = 1");
  }

  publish(topic: string, messages: readonly NewMessage[], now: number, rememberUntil: number): void {
    const forget = Math.max(forgottenPerPublishMin, 2 * messages.length);
    this.#statements.run(
      "DELETE FROM seen WHERE (topic, id) IN (SELECT topic, id FROM seen WHERE until <= ? ORDER BY until LIMIT ?)",
      now,
      forget,
    );
    for (const { id, body } of messages) {
      const remembered = this.#statements.run(
        `INSERT INTO seen (topic, id, until) VALUES (?1, ?2, ?3)
         ON CONFLICT (topic, id) DO UPDATE SET until = excluded.until WHERE seen.until <= ?4`,
        topic,
        id,
        rememberUntil,
        now,
      );
      if (remembered === 0) continue;
      this.#statements.run("INSERT INTO bodies (seq, body) VALUES (?, ?)", this.#add(topic, id, now), body);
    }
  }

  #add(topic: string, id: string, now: number): number {
    const insert = this.#statements.prepare("INSERT INTO messages (topic, id, published_at) VALUES (?, ?, ?)");
    return Number(insert.run(topic, id, now).lastInsertRowid);
  }

  receive(topic: string, max: number, maxAttempts: number, now: number, holdUntil: number): Received[] {
    this.release(topic, maxAttempts, now);
    const ready = this.#oldest(topic, max);
    return ready.map(({ seq, id, attempts, body }) => {
      this.#statements.run(
        "UPDATE messages SET attempts = attempts + 1, held = 1, due = ? WHERE seq = ?",
        holdUntil,
        seq,
      );
      return { seq, id, body, attempt: attempts + 1 };
    });
  }

  #oldest(topic: string, max: number): (BuriedMessage & { body: string })[] {
    const ready: (BuriedMessage & { body: string })[] = [];
    const rows = this.#statements
      .prepare(
        `SELECT seq, topic, id, attempts, body FROM messages JOIN bodies USING (seq)
       WHERE topic = ? AND due IS NULL ORDER BY seq LIMIT ?`,
      )
      .iterate(topic, max);
    let length = 0;
    for (const row of rows) {
      const message = row as unknown as BuriedMessage & { body: string };
      ready.push(message);
      length += message.body.length;
      if (length >= receivedLengthMax) break;
    }
    return ready;
  }

  /** Makes what is due free to take, or a dead letter when its attempts are used up. */
  release(topic: string, maxAttempts: number, now: number): void {
    const due = this.#statements.all<BuriedMessage>(
      "SELECT seq, topic, id, attempts FROM messages WHERE topic = ? AND due <= ? ORDER BY due",
      topic,
      now,
    );
    for (const message of due) {
      if (message.attempts < maxAttempts) {
        this.#statements.run("UPDATE messages SET due = NULL, held = 0 WHERE seq = ?", message.seq);
      } else {
        this.#bury(message, `not acknowledged in time on attempt ${message.attempts} of ${maxAttempts}`, now);
      }
    }
  }

  /** When the next held or delayed message of the topic becomes due. */
  nextDue(topic: string): number | null {
    const [row] = this.#statements.all<{ due: number | null }>(
      "SELECT min(due) AS due FROM messages WHERE topic = ? AND due IS NOT NULL",
      topic,
    );
    return row?.due ?? null;
  }

  ack({ seq, attempt }: Receipt): void {
    const acknowledged = this.#statements.run("DELETE FROM messages WHERE seq = ? AND attempts = ?", seq, attempt);
    if (acknowledged > 0) this.#statements.run("DELETE FROM bodies WHERE seq = ?", seq);
  }

  retry(receipt: Receipt, reason: string, now: number, due: number, maxAttempts: number): void {
    if (receipt.attempt >= maxAttempts) this.bury(receipt, reason, now);
    else
      this.#statements.run(
        "UPDATE messages SET due = ?, held = 0 WHERE seq = ? AND attempts = ?",
        due,
        ...values(receipt),
      );
  }

  bury(receipt: Receipt, reason: string, now: number): void {
    const [message] = this.#statements.all<BuriedMessage>(
      "SELECT seq, topic, id, attempts FROM messages WHERE seq = ? AND attempts = ?",
      ...values(receipt),
    );
    if (message) this.#bury(message, reason, now);
  }

  extend(receipt: Receipt, holdUntil: number): void {
    this.#statements.run(
      "UPDATE messages SET due = ?, held = 1 WHERE seq = ? AND attempts = ?",
      holdUntil,
      ...values(receipt),
    );
  }

  deadLetters(topic: string, max: number, now: number): DeadLetter[] {
    this.#dead.bound(now);
    return this.#dead.list(topic, max);
  }

  /** Makes messages of dead letters, behind all others; how many there were. */
  redrive(topic: string, letters: readonly string[], now: number): number {
    return this.#takeLetters(topic, letters, ({ seq, id }) => {
      this.#statements.run("UPDATE bodies SET seq = ? WHERE seq = ?", this.#add(topic, id, now), seq);
    });
  }

  discard(topic: string, letters: readonly string[]): number {
    return this.#takeLetters(topic, letters, ({ seq }) => {
      this.#statements.run("DELETE FROM bodies WHERE seq = ?", seq);
    });
  }

  /** Forgets dead letters that are too old or too much: called at the end of a transaction. */
  boundDeadLetters(): void {
    this.#dead.boundAfterBurials();
  }

  depth(topic: string, now: number): QueueDepth {
    this.#dead.bound(now);
    const [row] = this.#statements.all<Omit<QueueDepth, "oldestAt"> & { oldest: number | null }>(
      `SELECT count(*) FILTER (WHERE held = 0) AS pending, count(*) FILTER (WHERE held = 1) AS held,
         (SELECT count(*) FROM dead_letters WHERE topic = ?1) AS dead, min(published_at) AS oldest
       FROM messages WHERE topic = ?1`,
      topic,
    );
    const { oldest = null, ...counts } = row ?? { pending: 0, held: 0, dead: 0 };
    return { ...counts, oldestAt: oldest === null ? null : new Date(oldest).toISOString() };
  }

  #takeLetters(topic: string, letters: readonly string[], take: (message: BuriedMessage) => void): number {
    const found = letters.map((letter) => {
      const message = this.#dead.find(topic, letter);
      if (!message) return 0;
      this.#dead.remove(message.seq);
      take(message);
      return 1;
    });
    return found.reduce<number>((sum, count) => sum + count, 0);
  }

  #bury(message: BuriedMessage, reason: string, now: number): void {
    this.#dead.bury(message, reason, now);
    this.#statements.run("DELETE FROM messages WHERE seq = ?", message.seq);
  }
}

function values({ seq, attempt }: Receipt): [number, number] {
  return [seq, attempt];
}

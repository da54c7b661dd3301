import { deadLetterAgeMs } from "./dead-letter-bounds.ts";
import type { DeadLetter } from "./queue.ts";
import type { StatementCache } from "./statement-cache.ts";

const schema = `
  CREATE TABLE IF NOT EXISTS dead_letters (
    seq INTEGER PRIMARY KEY,
    topic TEXT NOT NULL,
    id TEXT NOT NULL,
    attempts INTEGER NOT NULL,
    reason TEXT NOT NULL,
    buried_at INTEGER NOT NULL
  );
  CREATE INDEX IF NOT EXISTS dead_letters_newest ON dead_letters (topic, buried_at, seq);
`;

/** The data of a message that becomes a dead letter; its body stays in place. */
export interface BuriedMessage {
  readonly seq: number;
  readonly topic: string;
  readonly id: string;
  readonly attempts: number;
}

/** The dead letters and the SQL over them. Synchronous; the caller owns the transaction. */
export class DeadLetterTable {
  readonly #statements: StatementCache;
  readonly #bytesMax: number;
  /** The time of the last burial since they were bounded. */
  #buriedAt: number | null = null;

  /** Beyond `bytesMax` of bodies the oldest are forgotten. */
  constructor(statements: StatementCache, bytesMax: number) {
    this.#statements = statements;
    this.#bytesMax = bytesMax;
    statements.execute(schema);
  }

  bury({ seq, topic, id, attempts }: BuriedMessage, reason: string, now: number): void {
    this.#statements.run(
      "INSERT INTO dead_letters (seq, topic, id, attempts, reason, buried_at) VALUES (?, ?, ?, ?, ?, ?)",
      seq,
      topic,
      id,
      attempts,
      reason,
      now,
    );
    this.#buriedAt = now;
  }

  /** Newest first. */
  list(topic: string, max: number): DeadLetter[] {
    const rows = this.#statements.all<
      Omit<BuriedMessage, "topic"> & { body: string; reason: string; buried_at: number }
    >(
      `SELECT seq, id, body, attempts, reason, buried_at FROM dead_letters JOIN bodies USING (seq)
       WHERE topic = ? ORDER BY buried_at DESC, seq DESC LIMIT ?`,
      topic,
      max,
    );
    return rows.map(({ seq, buried_at, ...letter }) => {
      return { letter: String(seq), ...letter, buriedAt: new Date(buried_at).toISOString() };
    });
  }

  /** Returns the message of a dead letter; undefined for an unknown one. */
  find(topic: string, letter: string): BuriedMessage | undefined {
    const [row] = this.#statements.all<BuriedMessage>(
      "SELECT seq, topic, id, attempts FROM dead_letters WHERE topic = ? AND seq = ?",
      topic,
      letter,
    );
    return row;
  }

  /** Forgets the letter, not its body. */
  remove(seq: number): void {
    this.#statements.run("DELETE FROM dead_letters WHERE seq = ?", seq);
  }

  /** Once for all burials since the last time. */
  boundAfterBurials(): void {
    if (this.#buriedAt !== null) this.bound(this.#buriedAt);
  }

  /** Forgets what is too old or too much. */
  bound(now: number): void {
    this.#buriedAt = null;
    const spent = this.#statements.all<{ seq: number }>(
      `SELECT seq FROM (
         SELECT seq, buried_at, sum(octet_length(body)) OVER (ORDER BY buried_at DESC, seq DESC) AS bytes
         FROM dead_letters JOIN bodies USING (seq)
       ) WHERE bytes > ? OR buried_at <= ?`,
      this.#bytesMax,
      now - deadLetterAgeMs,
    );
    for (const { seq } of spent) {
      this.remove(seq);
      this.#statements.run("DELETE FROM bodies WHERE seq = ?", seq);
    }
  }
}

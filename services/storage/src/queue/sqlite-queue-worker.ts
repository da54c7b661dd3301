import { DatabaseSync } from "node:sqlite";
import { serveCalls } from "../threads/serve-calls.ts";
import { deadLetterBytesMax } from "./dead-letter-bounds.ts";
import { MessageTable } from "./message-table.ts";
import type { QueueOperation, QueueOutcome } from "./queue-operation.ts";

/** The data that the thread starts with. */
export interface QueueFile {
  readonly path: string;
  /** Bound of what the file holds. */
  readonly maxBytes: number;
}

/** A batch takes a few of these and not dozens: each page of a commit is a checksum and two writes of its own. */
const pageBytes = 8_192;
/** Of the log, before it is copied into the file: a page that is written again until then is copied once. */
const checkpointBytes = 32 * 1_048_576;
const walBytesMax = 64 * 1_048_576;
/** Free pages are given back in steps, and only beyond what the next burst would ask for again. */
const freeBytesKept = 8 * 1_048_576;
const freeBytesPerStep = 2 * 1_048_576;
/** The share of the file that dead letters may take, so that they never cause a publish to be refused. */
const deadLetterShare = 0.125;

await serveCalls(({ path, maxBytes }: QueueFile) => {
  const db = open(path);
  const table = new MessageTable(db, Math.min(deadLetterBytesMax, maxBytes * deadLetterShare));
  return {
    answer: (group: readonly QueueOperation[]): QueueOutcome[] => commitGroup(db, table, group, maxBytes),
    close: () => db.close(),
  };
});

function open(path: string): DatabaseSync {
  const db = new DatabaseSync(path);
  // Before the first table, or it has no effect. EXCLUSIVE: one process owns the file, and no other may open it.
  db.exec(`PRAGMA page_size = ${pageBytes}; PRAGMA auto_vacuum = INCREMENTAL; PRAGMA locking_mode = EXCLUSIVE;
    PRAGMA journal_mode = WAL; PRAGMA synchronous = FULL;
    PRAGMA wal_autocheckpoint = ${checkpointBytes / pageBytes}; PRAGMA journal_size_limit = ${walBytesMax};`);
  return db;
}

/**
 * Commits all operations that arrived during the last commit in one transaction, with one fsync. When it fails, each
 * operation is retried separately, so that a publish that doesn't fit on the disk doesn't fail acknowledgments with it.
 */
function commitGroup(
  db: DatabaseSync,
  table: MessageTable,
  group: readonly QueueOperation[],
  maxBytes: number,
): QueueOutcome[] {
  const perform = (operation: QueueOperation): QueueOutcome =>
    refusal(db, operation, maxBytes) ?? performOperation(table, operation);
  try {
    return transaction(db, () => {
      const outcomes = group.map(perform);
      table.boundDeadLetters();
      giveBackFreePages(db, group);
      return outcomes;
    });
  } catch {
    // Whatever it was, it is met again below, by the operation that it belongs to.
    return group.map((operation) =>
      commitAlone(db, () => {
        const outcome = perform(operation);
        table.boundDeadLetters();
        return outcome;
      }),
    );
  }
}

function commitAlone(db: DatabaseSync, perform: () => QueueOutcome): QueueOutcome {
  try {
    return transaction(db, perform);
  } catch (error) {
    return { kind: "failed", message: error instanceof Error ? error.message : String(error) };
  }
}

function transaction<Value>(db: DatabaseSync, run: () => Value): Value {
  db.exec("BEGIN IMMEDIATE");
  try {
    const value = run();
    db.exec("COMMIT");
    return value;
  } catch (error) {
    // SQLite may have rolled back already, as it does when the disk is full.
    if (db.isTransaction) db.exec("ROLLBACK");
    throw error;
  }
}

function performOperation(table: MessageTable, operation: QueueOperation): QueueOutcome {
  switch (operation.kind) {
    case "publish":
      table.publish(operation.topic, operation.messages, operation.now, operation.rememberUntil);
      return { kind: "done" };
    case "receive": {
      const { topic, max, maxAttempts, now, holdUntil } = operation;
      const messages = table.receive(topic, max, maxAttempts, now, holdUntil);
      return { kind: "received", messages, nextDue: table.nextDue(topic) };
    }
    case "ack":
      table.ack(operation.receipt);
      return { kind: "done" };
    case "retry":
      table.retry(operation.receipt, operation.reason, operation.now, operation.due, operation.maxAttempts);
      return { kind: "done" };
    case "bury":
      table.bury(operation.receipt, operation.reason, operation.now);
      return { kind: "done" };
    case "extend":
      table.extend(operation.receipt, operation.holdUntil);
      return { kind: "done" };
    case "dead-letters":
      table.release(operation.topic, operation.maxAttempts, operation.now);
      return { kind: "dead-letters", letters: table.deadLetters(operation.topic, operation.max, operation.now) };
    case "redrive":
      return { kind: "counted", count: table.redrive(operation.topic, operation.letters, operation.now) };
    case "discard":
      return { kind: "counted", count: table.discard(operation.topic, operation.letters) };
    case "check":
      // To be answered is enough.
      return { kind: "done" };
    case "depth":
      table.release(operation.topic, operation.maxAttempts, operation.now);
      return { kind: "depth", depth: table.depth(operation.topic, operation.now) };
  }
}

/** The bound is on what comes from outside: the rest of the work must go on, or a full queue could never be drained. */
function refusal(db: DatabaseSync, operation: QueueOperation, maxBytes: number): QueueOutcome | null {
  if (operation.kind !== "publish" || operation.takenWhenFull) return null;
  const used = (pragma(db, "page_count") - pragma(db, "freelist_count")) * pageBytes;
  const more = operation.messages.reduce(
    (sum, { id, body }) => sum + Buffer.byteLength(id) + Buffer.byteLength(body),
    0,
  );
  if (used + more <= maxBytes) return null;
  return {
    kind: "failed",
    message: `it holds ${used} of at most ${maxBytes} bytes, and ${more} more were to be added`,
  };
}

function giveBackFreePages(db: DatabaseSync, group: readonly QueueOperation[]): void {
  if (!group.some(({ kind }) => kind === "ack" || kind === "discard")) return;
  if (pragma(db, "freelist_count") * pageBytes <= freeBytesKept) return;
  db.exec(`PRAGMA incremental_vacuum(${freeBytesPerStep / pageBytes})`);
}

function pragma(db: DatabaseSync, name: string): number {
  return Number(db.prepare(`PRAGMA ${name}`).get()?.[name]);
}

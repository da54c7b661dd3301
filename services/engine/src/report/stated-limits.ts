import { count } from "../words/prose.ts";

/** A limit that a message states together with what reached it. */
interface StatedLimit {
  readonly pattern: RegExp;
  /** Null where the figures don't explain the failure. */
  readonly said: (figures: readonly number[]) => string | null;
}

const connections = (total: number): string =>
  total === 1 ? "The only connection is" : `All ${total} connections are`;

const limits: readonly StatedLimit[] = [
  {
    pattern: /\b(\d{1,7}) ?(?:of|\/) ?(\d{1,7}) (?:connections )?(?:are |is )?in use\b/,
    said: ([used = 0, total = 0]) => (used === total && total > 0 ? `${connections(total)} in use.` : null),
  },
  {
    // SQLAlchemy adds the overflow to the pool.
    pattern: /\bQueuePool limit of size (\d{1,7}) overflow (\d{1,7}) reached\b/,
    said: ([size = 0, overflow = 0]) => `All ${count(size, "connection")} and the overflow of ${overflow} are in use.`,
  },
  {
    // HikariCP.
    pattern: /\(total=(\d{1,7}), active=(\d{1,7}), idle=\d{1,7}, waiting=(\d{1,7})\)/,
    said: ([total = 0, active = 0, waiting = 0]) =>
      active === total && total > 0
        ? `${connections(total)} in use, and ${count(waiting, "caller")} ${waiting === 1 ? "waits" : "wait"}.`
        : null,
  },
  {
    // Elasticsearch and OpenSearch.
    pattern:
      /\bwould be \[(\d{1,15})(?:\/[^\]]{1,20})?\], which is larger than the limit of \[(\d{1,15})(?:\/[^\]]{1,20})?\]/,
    said: ([needed = 0, limit = 0]) => `${bytes(needed)} were needed, ${bytes(limit)} are allowed.`,
  },
  {
    // gRPC.
    pattern: /\bmessage larger than max \((\d{1,15}) vs\.? (\d{1,15})\)/,
    said: ([sent = 0, limit = 0]) => `The message has ${bytes(sent)}, ${bytes(limit)} are allowed.`,
  },
  {
    // MySQL.
    pattern: /\bPacket for query is too large \((\d{1,15}) > (\d{1,15})\)/,
    said: ([sent = 0, limit = 0]) => `The packet has ${bytes(sent)}, ${bytes(limit)} are allowed.`,
  },
];

/** Returns what a message says of the limit that was reached, as a sentence; null when it states none. */
export function statedLimit(message: string): string | null {
  for (const { pattern, said } of limits) {
    const found = pattern.exec(message);
    const sentence = found && said(found.slice(1).map(Number));
    if (sentence) return sentence;
  }
  return null;
}

function bytes(amount: number): string {
  return `${amount} bytes`;
}

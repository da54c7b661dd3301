import { hourMs } from "@whence/protocol";
import type { Attempt, ConsumerOptions, Postponed } from "./consume.ts";

/** The share of a consumer's time that one scope may use after a burst of {@link burstMs}. */
const shareMax = 0.5;
/** The time that a scope may use at once, however quickly its messages arrive. */
export const burstMs = 500;
/** Messages delivered more often aren't postponed: most of a topic's attempts are kept for failures. */
const postponedAttemptMax = 8;
/** The weight of the last message in the estimate for the scope's next one. */
const lastWeight = 0.2;
/** Others don't make room for an organization that sent nothing for this long. */
const presentMs = hourMs;
/** A message that is overdue for this long was handled by another process. */
const overdueMs = 600_000;

interface ScopeTime {
  /** When the time it has used would be over at its share. */
  readonly usedUntil: number;
  /** The same including postponed messages. */
  readonly takenUntil: number;
  /** How long a message of the scope takes. */
  readonly costMs: number;
}

/**
 * Keeps one scope's many messages from delaying those of another that come after them in the queue: a message beyond
 * the scope's share of the time is postponed to its own slot, one after another. A scope that has been alone for an
 * hour gets all of the time.
 *
 * It is a virtual schedule per scope, like the generic cell rate algorithm of ITU-T I.371, for time instead of cells.
 */
export function sharingTime<Message extends { readonly scope_id: string }>(
  handle: ConsumerOptions<Message>["handle"],
  now: () => number = () => performance.now(),
): ConsumerOptions<Message>["handle"] {
  const scopes = new Map<string, ScopeTime>();
  /** When each scope last had a message. */
  const present = new Map<string, number>();
  /** By message id: how often each was postponed, and until when. */
  const postponed = new Map<string, { readonly times: number; readonly dueAt: number }>();

  function postpone(id: string, scopeId: string, time: ScopeTime): Postponed {
    const times = postponed.get(id)?.times ?? 0;
    const end = times === 0 ? Math.max(time.takenUntil, time.usedUntil) : time.usedUntil;
    if (times === 0) scopes.set(scopeId, { ...time, takenUntil: end + time.costMs / shareMax });
    const againInMs = Math.ceil(end - now() - burstMs);
    postponed.set(id, { times: times + 1, dueAt: now() + againInMs });
    return { againInMs, reason: "the organization's earlier failures are decided first" };
  }

  function use(scopeId: string, usedMs: number): void {
    const { usedUntil, takenUntil, costMs } = scopes.get(scopeId) ?? { usedUntil: 0, takenUntil: 0, costMs: usedMs };
    scopes.set(scopeId, {
      usedUntil: Math.max(usedUntil, now()) + usedMs / shareMax,
      takenUntil,
      costMs: costMs + lastWeight * (usedMs - costMs),
    });
  }

  function forgetOld(): void {
    for (const [scopeId, { usedUntil, takenUntil }] of scopes) {
      if (Math.max(usedUntil, takenUntil) < now()) scopes.delete(scopeId);
    }
    for (const [scopeId, lastAt] of present) if (lastAt + presentMs < now()) present.delete(scopeId);
    for (const [id, { dueAt }] of postponed) if (dueAt + overdueMs < now()) postponed.delete(id);
  }

  return async (message, attempt: Attempt) => {
    const { scope_id: scopeId } = message;
    const time = scopes.get(scopeId);
    present.set(scopeId, now());
    const isLate = time !== undefined && time.usedUntil - now() > burstMs;
    if (isLate && present.size > 1 && attempt.number <= postponedAttemptMax) return postpone(attempt.id, scopeId, time);
    const times = postponed.get(attempt.id)?.times ?? 0;
    postponed.delete(attempt.id);
    const begin = now();
    try {
      // A postponement here doesn't count as an attempt of the handler.
      return await handle(message, { ...attempt, number: attempt.number - times });
    } finally {
      use(scopeId, now() - begin);
      forgetOld();
    }
  };
}

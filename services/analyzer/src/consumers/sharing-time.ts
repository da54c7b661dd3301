import type { Attempt, ConsumerOptions, Postponed } from "./consume.ts";

/** What one scope may use of a consumer's time, once it has used {@link burstMs} of it at once. */
const shareMax = 0.5;
/** Time that a scope may use up however soon its messages follow one another. */
export const burstMs = 500;
/** Most of a topic's attempts are kept for messages that fail. */
const postponedAttemptMax = 8;
/** How much the last message counts in what the scope's next one is expected to take. */
const lastWeight = 0.2;
/** An organization that sent nothing for so long is none that others make room for. */
const presentMs = 3_600_000;
/** A message that was due so long ago was handled by another process. */
const overdueMs = 600_000;

interface ScopeTime {
  /** When what the scope has used would be over, had it used no more than its share. */
  readonly usedUntil: number;
  /** The same with the messages that wait for a time of their own. */
  readonly takenUntil: number;
  /** What a message of the scope takes. */
  readonly costMs: number;
}

/**
 * Handles messages so that the many of one scope don't make those of another wait, which come after them in the queue:
 * what would exceed the scope's share of the time is postponed to a time of its own, one after the other. A scope that
 * has been alone for an hour has all of it.
 *
 * A virtual schedule for each scope, as in the generic cell rate algorithm of ITU-T I.371, of time used instead of cells.
 */
export function sharingTime<Message extends { readonly scope_id: string }>(
  handle: ConsumerOptions<Message>["handle"],
  now: () => number = () => performance.now(),
): ConsumerOptions<Message>["handle"] {
  const scopes = new Map<string, ScopeTime>();
  /** When each scope last had a message. */
  const present = new Map<string, number>();
  /** By the ids of messages: how often each was postponed, and until when. */
  const postponed = new Map<string, { readonly times: number; readonly dueAt: number }>();

  function postpone(id: string, scopeId: string, time: ScopeTime): Postponed {
    const times = postponed.get(id)?.times ?? 0;
    const end = times === 0 ? Math.max(time.takenUntil, time.usedUntil) : time.usedUntil;
    if (times === 0) scopes.set(scopeId, { ...time, takenUntil: end + time.costMs / shareMax });
    const againInMs = Math.ceil(end - now() - burstMs);
    postponed.set(id, { times: times + 1, dueAt: now() + againInMs });
    return { againInMs, reason: "the organization's other failures are decided first" };
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
      // That it was postponed here is no attempt of the handler's.
      return await handle(message, { ...attempt, number: attempt.number - times });
    } finally {
      use(scopeId, now() - begin);
      forgetOld();
    }
  };
}

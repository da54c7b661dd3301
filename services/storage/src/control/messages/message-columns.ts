import type { Updateable } from "kysely";

/** The delivery columns of a message to people. */
export interface MessageColumns {
  id: string;
  scope_id: string;
  /** `waiting`, `sending`, or what became of it. */
  state: string;
  /** How often it was tried; the latest attempt alone may settle it. */
  attempts: number;
  /** While it is being sent: when it counts as lost with its process. */
  next_attempt_at: string;
  created_at: string;
  settled_at: string | null;
  reason: string | null;
}

/** The columns that change while a message is being sent. */
export type MessageProgress = Pick<
  Updateable<MessageColumns>,
  "state" | "attempts" | "next_attempt_at" | "settled_at" | "reason"
>;

/** What became of an attempt to send a message. */
interface AttemptOutcome {
  readonly state: string;
  readonly reason?: string | null;
  /** Set for a message that waits for another attempt. */
  readonly nextAttemptAt?: Date;
}

/** The progress that an attempt's outcome makes: without another attempt, the message is settled. */
export function progressOf({ state, reason = null, nextAttemptAt }: AttemptOutcome, now: Date): MessageProgress {
  if (nextAttemptAt) return { state, reason, next_attempt_at: nextAttemptAt.toISOString() };
  return { state, reason, settled_at: now.toISOString() };
}

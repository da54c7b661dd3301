import type { PostOutcome, TakenPost } from "@whence/storage";
import { oneLine, VendorFailure, type VendorFailureReason } from "@whence/vendors";
import { conversationLimits } from "./conversation-limits.ts";

/** Reasons that last until someone lets the bot in and asks again. */
const shutOut: readonly VendorFailureReason[] = ["forbidden", "not-found", "invalid-input"];

/**
 * Returns when to retry a post, and whether to abandon it: after a day, since an owner or the vendor may remove the
 * obstacle; in a conversation that the bot isn't let into, after 15 minutes.
 */
export function afterFailure(error: unknown, { kind, attempt, createdAt }: TakenPost, now: number): PostOutcome {
  const { firstWaitMs, waitGrowth, waitMaxMs, retryAfterMaxMs, reasonLengthMax } = conversationLimits;
  const reason = oneLine(error instanceof Error ? error.message : String(error), reasonLengthMax);
  const failure = error instanceof VendorFailure ? error : null;
  const wait = Math.max(
    Math.min(firstWaitMs * waitGrowth ** (attempt - 1), waitMaxMs),
    Math.min(failure?.retryAfterMs ?? 0, retryAfterMaxMs),
  );
  const isShutOut = kind === "start" && failure !== null && shutOut.includes(failure.reason);
  const patienceMs = isShutOut ? conversationLimits.shutOutGivenUpAfterMs : conversationLimits.givenUpAfterMs;
  if (now + wait - Date.parse(createdAt) > patienceMs) return { state: "given_up", reason };
  return { state: "waiting", reason, nextAttemptAt: new Date(now + wait) };
}

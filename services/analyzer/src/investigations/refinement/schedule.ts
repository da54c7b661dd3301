import { minuteMs } from "@whence/protocol";
import type { EvidencePlan } from "@whence/storage";
import { batchMs } from "../../incidents/correlate/find-relation.ts";

/** Waits for decisions about failures from the same batch, which may join the incident. */
const decidedMs = 200;

/**
 * When to look for evidence again, after the failing event was received, or the incident opened on what someone announced:
 * once the services around it have sent their next batch, and once a full minute of rates is available.
 */
export const refineAfterMs: readonly number[] = [batchMs + decidedMs, minuteMs];

/** A look for evidence this soon comes before a model is asked. */
const soonMs = 10_000;

/** Adds the look that asks a model: immediately, unless another look is due soon. */
export function withModelLook(
  { refineAt, refinedUntil }: Pick<EvidencePlan, "refineAt" | "refinedUntil">,
  seenAt: number,
  withinMs: number,
): Pick<EvidencePlan, "refineAt" | "refinedUntil"> {
  const isSoon = refineAt !== null && refineAt.getTime() - seenAt <= soonMs;
  const until = Math.max(refinedUntil?.getTime() ?? 0, seenAt + withinMs);
  return { refineAt: isSoon ? refineAt : new Date(seenAt), refinedUntil: new Date(until) };
}

/** The looks after the one at `seenAt`; none for an old event. */
export function looksAhead(receivedAt: string, seenAt: number): Pick<EvidencePlan, "refineAt" | "refinedUntil"> {
  const ahead = refineAfterMs.map((ms) => Date.parse(receivedAt) + ms).filter((at) => at > seenAt);
  const at = (ms: number | undefined): Date | null => (ms === undefined ? null : new Date(ms));
  return { refineAt: at(ahead[0]), refinedUntil: at(ahead.at(-1)) };
}

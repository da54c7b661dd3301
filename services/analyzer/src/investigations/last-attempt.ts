import { WhenceError } from "@whence/protocol";
import type { Attempt } from "../consumers/consume.ts";
import { failedAttemptsMax } from "./investigation-context.ts";

/** One that took too long once may have met a busy machine; twice, and it would take as long again. */
export const timedOutAttemptsMax = 2;

/** Whether an investigation that failed is given up. */
export function isLastAttempt({ number, signal }: Attempt, error: unknown): boolean {
  const isTimeout = error instanceof WhenceError && error.code === "WHENCE_ERR_INVESTIGATION_TIMEOUT";
  return number >= (isTimeout ? timedOutAttemptsMax : failedAttemptsMax) && !signal.aborted;
}

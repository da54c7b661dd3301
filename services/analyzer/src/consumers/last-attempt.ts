import { WhenceError } from "@whence/protocol";
import type { Attempt } from "./consume.ts";
import { failedAttemptsMax } from "./investigation-context.ts";

/** Whether an investigation that failed is given up. One that took too long would take as long again. */
export function isLastAttempt({ number, signal }: Attempt, error: unknown): boolean {
  const isTimeout = error instanceof WhenceError && error.code === "WHENCE_ERR_INVESTIGATION_TIMEOUT";
  return (number >= failedAttemptsMax || isTimeout) && !signal.aborted;
}

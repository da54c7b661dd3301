import { WhenceError } from "@whence/protocol";
import type { Attempt } from "../consumers/consume.ts";
import { failedAttemptsMax } from "./investigation-context.ts";

/** One timeout may be due to a busy machine; after two, a third attempt would time out as well. */
export const timedOutAttemptsMax = 2;

/** Whether a failed investigation isn't retried. */
export function isLastAttempt({ number, signal }: Attempt, error: unknown): boolean {
  const isTimeout = error instanceof WhenceError && error.code === "WHENCE_ERR_INVESTIGATION_TIMEOUT";
  return number >= (isTimeout ? timedOutAttemptsMax : failedAttemptsMax) && !signal.aborted;
}

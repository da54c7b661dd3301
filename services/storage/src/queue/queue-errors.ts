import { WhenceError } from "@whence/protocol";
import { storageErrors } from "../errors.ts";

/** `WHENCE_ERR_QUEUE_UNAVAILABLE` of the queue at `place`; Whence's own errors are kept. */
export function queueUnavailable(place: string, cause: unknown): Error {
  if (cause instanceof WhenceError) return cause;
  const message = cause instanceof Error ? cause.message : String(cause);
  return storageErrors.create("WHENCE_ERR_QUEUE_UNAVAILABLE", [place, message], { cause });
}

import type { ModelFailure } from "@whence/engine";
import { AISDKError, APICallError, RetryError } from "ai";

/** A run that ended without a proposal. */
export class RunFailed extends Error {
  readonly why: ModelFailure;

  constructor(why: ModelFailure) {
    super(`the model run ended: ${why}`);
    this.name = "RunFailed";
    this.why = why;
  }
}

const tooMany = 429;
const serverErrorFrom = 500;

/** Returns why a run failed, by what its request was rejected with. */
export function failureOf(error: unknown): ModelFailure {
  if (error instanceof RunFailed) return error.why;
  if (RetryError.isInstance(error)) return failureOf(error.lastError);
  if (error instanceof Error && (error.name === "AbortError" || error.name === "TimeoutError")) return "too-slow";
  if (APICallError.isInstance(error)) {
    const { statusCode: status } = error;
    if (status === tooMany) return "rate-limited";
    if (status === undefined || status >= serverErrorFrom) return "unavailable";
    // A success whose body couldn't be read is reported as such a call, too.
    return status < 300 ? "unreadable" : "rejected";
  }
  // All others of the library are about what came back.
  return AISDKError.isInstance(error) ? "unreadable" : "unavailable";
}

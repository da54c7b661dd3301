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

/** From this status on, an answer isn't a model's. */
const redirectFrom = 300;
/** What a system call that opens a connection is called in its errors. */
const connecting: readonly unknown[] = ["connect", "getaddrinfo"];

/** Whether no model worked on a request: the server rejected it, or couldn't be reached. */
export function isUnused(error: unknown): boolean {
  if (RetryError.isInstance(error)) return isUnused(error.lastError);
  if (!APICallError.isInstance(error)) return false;
  const { statusCode: status, cause } = error;
  if (status !== undefined) return status >= redirectFrom;
  return cause instanceof Error && "syscall" in cause && connecting.includes(cause.syscall);
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
    return status < redirectFrom ? "unreadable" : "rejected";
  }
  // All others of the library are about what came back.
  return AISDKError.isInstance(error) ? "unreadable" : "unavailable";
}

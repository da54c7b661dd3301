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
/** The system calls that open a connection, as errors name them. */
const connecting: readonly unknown[] = ["connect", "getaddrinfo"];

/** Whether no model worked on a request: the server rejected it, or couldn't be reached. */
export function isUnused(error: unknown): boolean {
  if (RetryError.isInstance(error)) return isUnused(error.lastError);
  const status = statusOf(error);
  if (status !== undefined) return status >= redirectFrom;
  const cause = APICallError.isInstance(error) ? error.cause : null;
  return cause instanceof Error && "syscall" in cause && connecting.includes(cause.syscall);
}

/** The status of an answer; undefined without one. A library that asks for tokens on its own has errors of its own. */
function statusOf(error: unknown): number | undefined {
  if (APICallError.isInstance(error)) return error.statusCode;
  return error instanceof Error && "status" in error && typeof error.status === "number" ? error.status : undefined;
}

const tooMany = 429;
const serverErrorFrom = 500;

/** Returns why a run failed, by what its request was rejected with. */
export function failureOf(error: unknown): ModelFailure {
  if (error instanceof RunFailed) return error.why;
  if (RetryError.isInstance(error)) return failureOf(error.lastError);
  if (error instanceof Error && (error.name === "AbortError" || error.name === "TimeoutError")) return "too-slow";
  const status = statusOf(error);
  if (status === undefined && APICallError.isInstance(error)) return "unavailable";
  if (status !== undefined) {
    if (status === tooMany) return "rate-limited";
    if (status >= serverErrorFrom) return "unavailable";
    // A success whose body couldn't be read is reported as such a call, too.
    return status < redirectFrom ? "unreadable" : "rejected";
  }
  // All others of the library are about what came back.
  return AISDKError.isInstance(error) ? "unreadable" : "unavailable";
}

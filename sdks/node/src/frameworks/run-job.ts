import { isPromise } from "node:util/types";
import { limits } from "@whence/protocol/limits";
import { currentClient } from "../current-client.ts";
import type { IncomingRequest } from "../request-context.ts";
import { trimText } from "../text.ts";
import { recordFailure } from "./route-failure.ts";

/** What a job's events say of it. */
export interface Job {
  /** Names the kind of job among an event's mechanisms. */
  readonly kind: string;
  readonly attributes: Readonly<Record<string, string>>;
  /** The HTTP request that started it. */
  readonly incoming?: IncomingRequest | undefined;
  readonly route?: string | undefined;
}

/**
 * Runs a job as a piece of work of its own: what it records stays with it, and what it throws, or its promise rejects
 * with, is recorded and passes. Returns what the job returns.
 */
export function runJob<Result>({ kind, attributes, incoming, route }: Job, run: () => Result): Result {
  const client = currentClient();
  if (!client) return run();
  const own = Object.entries(attributes).map(([name, text]) => [name, trimText(text, limits.textLengthMax)]);
  const outer = client.requests.current();
  const within = outer && new WeakRef(outer);
  const context = { incoming, route: () => route, attributes: Object.fromEntries(own), within };
  return client.runJob(context, () => recorded(kind, incoming, run));
}

function recorded<Result>(kind: string, incoming: IncomingRequest | undefined, run: () => Result): Result {
  const fail = (error: unknown): never => {
    recordFailure(kind, error, incoming);
    throw error;
  };
  try {
    const result = run();
    // A promise that nobody waits for has to stay one that nobody has handled: what is returned rejects as it would.
    return isPromise(result) ? (result.then(undefined, fail) as Result) : result;
  } catch (error) {
    return fail(error);
  }
}

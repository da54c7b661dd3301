import { isPromise } from "node:util/types";
import { currentClient } from "../core/current-client.ts";
import type { IncomingRequest } from "../core/request-context.ts";
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
 * with, is recorded and passes. Returns what the job returns. Where nothing can catch an error, it is left to be
 * recorded as an uncaught one: for a rethrown error, Node would print another line of source.
 */
export function runJob<Result>(job: Job, run: () => Result, isUncatchable = false): Result {
  if (!currentClient()) return run();
  return serveJob(job, () => (isUncatchable ? settled(job, run()) : recorded(job, run)));
}

/** Runs `serve` as a piece of work of its own, and leaves what it fails with to others. */
export function serveJob<Result>({ attributes, incoming, route }: Omit<Job, "kind">, serve: () => Result): Result {
  const client = currentClient();
  if (!client) return serve();
  const outer = client.requests.current();
  const within = outer && new WeakRef(outer);
  return client.requests.runJob(
    { incoming, route: () => route, attributes, within, scope: client.scopes.forJob() },
    serve,
  );
}

function recorded<Result>(job: Job, run: () => Result): Result {
  try {
    return settled(job, run());
  } catch (error) {
    return fail(job, error);
  }
}

/** A promise that isn't awaited must still be an unhandled rejection: the returned one rejects as the original does. */
function settled<Result>(job: Job, result: Result): Result {
  return isPromise(result) ? (result.then(undefined, (error) => fail(job, error)) as Result) : result;
}

function fail({ kind, incoming }: Job, error: unknown): never {
  recordFailure(kind, error, incoming);
  throw error;
}

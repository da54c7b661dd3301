import { isPromise } from "node:util/types";
import { currentClient } from "../core/current-client.ts";
import type { IncomingRequest } from "../core/request-context.ts";
import { recordFailure } from "./route-failure.ts";

/** The description of a job in its events. */
export interface Job {
  /** The kind of job, which becomes the event's mechanism. */
  readonly kind: string;
  readonly attributes: Readonly<Record<string, string>>;
  /** The HTTP request that started it. */
  readonly incoming?: IncomingRequest | undefined;
  readonly route?: string | undefined;
}

/**
 * Runs a job as a separate unit of work: what it records stays with it, and the error that it throws, or that its
 * promise rejects with, is recorded and passed on. Returns the job's result. Where nothing can catch an error, it is
 * recorded as an uncaught one instead: for a rethrown error, Node would print another line of source.
 */
export function runJob<Result>(job: Job, run: () => Result, isUncatchable = false): Result {
  if (!currentClient()) return run();
  return serveJob(job, () => (isUncatchable ? settled(job, run()) : recorded(job, run)));
}

/** Runs `serve` as a separate unit of work, without recording its failure. */
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

/**
 * Returns a promise that rejects as the original does, so that one that isn't awaited is still an unhandled rejection.
 */
function settled<Result>(job: Job, result: Result): Result {
  return isPromise(result) ? (result.then(undefined, (error) => fail(job, error)) as Result) : result;
}

function fail({ kind, incoming }: Job, error: unknown): never {
  recordFailure(kind, error, incoming);
  throw error;
}

import { currentClient } from "../../core/current-client.ts";
import { asText, readProperty } from "../../runtime/read-property.ts";
import { messageName } from "../message-name.ts";
import { recordFailure, recordRouteError } from "../route-failure.ts";
import { type Origin, waitingWork } from "./waiting-work.ts";

/** Where the changed sources of schedulers, queues and microservices find {@link watchedJobs}. */
export const watchedJobsName = "@whence/node watched jobs";

/**
 * What the changed sources call around the jobs that they run: each run is a piece of work of its own. None of it
 * throws, and nothing is on the stack while the job runs.
 */
const watchedJobs = {
  /** A job begins, or the method of an object that is one. Returns what `waitingWork.back` needs. */
  begin(job: unknown, owner?: unknown): Origin {
    const before = waitingWork.here();
    const client = currentClient();
    client?.guard(() => {
      const name = nameOf(job, owner);
      client.requests.enterJob(name === "" ? {} : { job: name });
    }, undefined)();
    return before;
  },
  /** The running job failed. */
  failed(kind: string, error: unknown): void {
    recordFailure(kind, error, undefined);
  },
  /** The running job answers an error, which may only say that what it was asked for was wrong. */
  answered(kind: string, error: unknown): void {
    recordRouteError(kind, error, undefined);
  },
};

/** Makes it available to the changed sources. */
export function watchJobs(): void {
  const place = Symbol.for(watchedJobsName);
  Object.defineProperty(globalThis, place, { value: watchedJobs, configurable: true, writable: true });
}

function nameOf(job: unknown, owner: unknown): string {
  const name = messageName(job) ?? asText(readProperty(job, "name"));
  const className = asText(readProperty(readProperty(owner, "constructor"), "name"));
  return className === "" ? name : `${className}.${name}`;
}

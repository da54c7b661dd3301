import { currentClient } from "../../core/current-client.ts";
import { asText, readProperty } from "../../runtime/read-property.ts";
import { messageName } from "../message-name.ts";
import { recordFailure, recordRouteError } from "../route-failure.ts";
import { type Origin, waitingWork } from "./waiting-work.ts";

/** The name under which the changed sources of schedulers, queues, and microservices find {@link watchedJobs}. */
export const watchedJobsName = "@whence/node watched jobs";

/**
 * The functions that the changed sources call around the jobs that they run, so that each run is a separate unit of
 * work. None of them throws, and none is on the stack while the job runs.
 */
const watchedJobs = {
  /** Called when a job begins; `owner` is the object whose method it is. Returns the value for `waitingWork.back`. */
  begin(job: unknown, owner?: unknown): Origin {
    const before = waitingWork.here();
    const client = currentClient();
    client?.guard(() => {
      const name = nameOf(job, owner);
      client.requests.enterJob(name === "" ? {} : { job: name });
    }, undefined)();
    return before;
  },
  /** Called when the running job fails. */
  failed(kind: string, error: unknown): void {
    recordFailure(kind, error, undefined);
  },
  /** Called when the running job answers with an error, which may only mean that its input was bad. */
  answered(kind: string, error: unknown): void {
    recordRouteError(kind, error, undefined);
  },
};

/** Makes {@link watchedJobs} available to the changed sources. */
export function watchJobs(): void {
  const place = Symbol.for(watchedJobsName);
  Object.defineProperty(globalThis, place, { value: watchedJobs, configurable: true, writable: true });
}

function nameOf(job: unknown, owner: unknown): string {
  const name = messageName(job) ?? asText(readProperty(job, "name"));
  const className = asText(readProperty(readProperty(owner, "constructor"), "name"));
  return className === "" ? name : `${className}.${name}`;
}

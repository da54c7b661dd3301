import { isAsyncFunction } from "node:util/types";
import { isCalledByNode } from "./called-by-node.ts";
import { likeOriginal } from "./like-original.ts";
import { runJob } from "./run-job.ts";

/**
 * Wraps a function that runs jobs: a queue consumer, a scheduled task, a script's main function. Each call is a
 * separate unit of work, like a request, and what it records stays with it. If it throws or its promise rejects, the
 * error is recorded with the job's name and passed on; `this`, arguments, and result don't change.
 */
export function whenceJob<This, Arguments extends unknown[], Result>(
  name: string,
  run: (this: This, ...args: Arguments) => Result,
): (this: This, ...args: Arguments) => Result {
  const wrapper = function (this: This, ...args: Arguments): Result {
    const isUncatchable = !isAsyncFunction(run) && isCalledByNode(wrapper);
    return runJob({ kind: "job", attributes: { job: name } }, () => run.apply(this, args), isUncatchable);
  };
  return likeOriginal(wrapper, run);
}

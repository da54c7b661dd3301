import { likeOriginal } from "./like-original.ts";
import { runJob } from "./run-job.ts";

/**
 * Wraps the function that works jobs off: a consumer of a queue, a scheduled task, a script's main function. Each call
 * is a piece of work of its own, as a request is: what it records stays with it. What it throws, or its promise rejects
 * with, is recorded with the job's name and passes; `this`, arguments and result are untouched.
 */
export function whenceJob<This, Arguments extends unknown[], Result>(
  name: string,
  run: (this: This, ...args: Arguments) => Result,
): (this: This, ...args: Arguments) => Result {
  const wrapper = function (this: This, ...args: Arguments): Result {
    return runJob({ kind: "job", attributes: { job: name } }, () => run.apply(this, args));
  };
  return likeOriginal(wrapper, run);
}

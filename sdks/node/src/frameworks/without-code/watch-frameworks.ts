import { currentClient } from "../../core/current-client.ts";
import { runtimeName } from "../../runtime/runtime-name.ts";
import { recordAnsweredFailures } from "./answered-failures.ts";
import { type ChangeSource, changeCommonJsSources } from "./common-js-sources.ts";
import { changeEsModuleSources } from "./es-module-sources.ts";
import { esModuleCounts, sourceKey, withHook } from "./framework-sources.ts";
import { esModuleJobCounts } from "./job-sources.ts";
import { esModuleQueueCounts } from "./queue-sources.ts";
import { followWaitingWork } from "./waiting-work.ts";
import { watchJobs } from "./watched-jobs.ts";

/**
 * Makes the frameworks that the program loads from now on report errors of their routes and jobs, and queues and pools
 * keep the request of waiting work, without changes to the program. Other modules aren't touched.
 */
export function watchFrameworks(): void {
  const client = currentClient();
  if (!client || runtimeName() !== "node") return;
  client.guard(() => {
    recordAnsweredFailures();
    followWaitingWork();
    watchJobs();
    changeCommonJsSources(changeOf);
    changeEsModuleSources({ ...esModuleCounts, ...esModuleQueueCounts, ...esModuleJobCounts }, changeOf);
  }, undefined)();
}

/** Returns the change of a framework's file. A file that isn't as expected is counted and left unchanged. */
function changeOf(path: string): ChangeSource | undefined {
  const key = sourceKey(path);
  if (key === undefined) return undefined;
  const client = currentClient();
  return client?.guard<[string], string | undefined>((source) => {
    // Until a context has been entered, Node.js 22 and older track no promises: earlier ones would get a later context.
    client.requests.enter(client.requests.current());
    return withHook(key, source);
  }, undefined);
}

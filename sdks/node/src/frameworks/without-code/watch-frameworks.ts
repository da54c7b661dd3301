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
 * Has frameworks that the program loads from now on report what their routes and jobs fail with, and queues and pools keep
 * the request of what waits in them, without a change to the program. Nothing else that it loads is touched.
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

/** What changes the source of a framework's file. One that isn't as expected is counted, and stays as it is. */
function changeOf(path: string): ChangeSource | undefined {
  const key = sourceKey(path);
  if (key === undefined) return undefined;
  const client = currentClient();
  return client?.guard<[string], string | undefined>((source) => {
    // Until a context has been entered, Node.js 22 and older follow no promise: those made before would get a later one.
    client.requests.enter(client.requests.current());
    return withHook(key, source);
  }, undefined);
}

import { limits } from "@whence/protocol";
import type { Scope } from "@whence/storage";
import type { AnnouncedDeploy } from "@whence/vendors";
import { triggerLimits } from "../triggers/trigger-limits.ts";
import { nextCheckAt } from "./check-times.ts";

type Recording = Pick<Scope, "releases" | "deployments">;

/** Reports the release as live, and schedules checks of its service's failures. Idempotent. */
export async function recordDeploy(
  { releases, deployments }: Recording,
  sourceId: string,
  { key, service, env, release, commit, url, at: liveAt }: AnnouncedDeploy,
): Promise<void> {
  const report = { service, env, release, commit, url, reportedBy: sourceId };
  await releases.report(report, new Date(liveAt), limits.reportedReleasesMax);
  const first = nextCheckAt(liveAt, Date.parse(liveAt));
  if (first === null) return;
  const deployment = { sourceId, key, service, env, release, commit, url, liveAt };
  await deployments.watch(deployment, first, triggerLimits.deploymentsKeptMax);
}

/** Records that a known deployment is live again; of an unknown one, only the id is known. */
export async function recordRollback(
  scope: Recording,
  sourceId: string,
  { key, at }: { readonly key: string; readonly at: string },
): Promise<void> {
  const known = await scope.deployments.find({ sourceId, key });
  if (known) await recordDeploy(scope, sourceId, { ...known, at });
}

import type { CollectedFor, DeployFact } from "@whence/engine";
import type { ScopedEvents } from "@whence/storage";
import { knownReleases, type ReportedReleases } from "../releases/known-releases.ts";
import { knowledgeOf } from "./judge-release.ts";
import type { JudgedRelease } from "./judged-release.ts";
import { latestDeploys, recentMs } from "./latest-deploys.ts";

/**
 * Returns the last releases of a service before its process stopped, when they are recent and there was another one
 * before.
 */
export async function releasesBeforeExit(
  events: ScopedEvents,
  reported: ReportedReleases | null,
  { incident: { service, env }, event, about, observedAt }: CollectedFor,
): Promise<readonly JudgedRelease[]> {
  if (event !== null || about || service === null || env === null) return [];
  const since = new Date(Date.parse(observedAt) - recentMs).toISOString();
  const releases = (await knownReleases(events, reported, { env, since })).filter(
    (one) => one.service === service && one.firstAt <= observedAt,
  );
  return latestDeploys(releases, service, observedAt).map(({ latest, previous }) => {
    const { release, firstAt: at } = latest;
    const deploy: DeployFact = {
      service,
      release,
      at,
      previous: previous?.release ?? null,
      firstSeen: null,
      counts: null,
      verdict: "near",
      reason: { kind: "before-exit" },
      own: true,
      answeredLast: false,
      ...knowledgeOf(latest),
    };
    return { deploy, data: { releases, totals: null } };
  });
}

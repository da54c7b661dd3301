import type { Collector, DeployFact } from "@whence/engine";
import { observeData } from "@whence/engine";
import type { ScopedEvents } from "@whence/storage";

/** A release older than this isn't a recent deploy. */
const recentMs = 24 * 3_600_000;
const releasesMax = 200;

/** The last release of a service before its process went silent, when it is recent and there was another before. */
export function releaseBeforeExit(events: ScopedEvents): Collector {
  const name = "releases";
  return {
    name,
    async collect({ incident: { service, env }, event, observedAt }) {
      if (event !== null || service === null || env === null) return [];
      const since = new Date(Date.parse(observedAt) - recentMs).toISOString();
      const releases = (await events.releases({ env, since, limit: releasesMax }))
        .filter((one) => one.service === service && one.firstAt <= observedAt)
        .toSorted((left, right) => Date.parse(right.firstAt) - Date.parse(left.firstAt));
      const [latest, previous] = releases;
      if (!latest || !previous || latest.firstAt < since) return [];
      const { release, firstAt: at } = latest;
      const deploy: DeployFact = {
        ...{ service, release, at, previous: previous.release, firstSeen: null, counts: null },
        ...{ verdict: "near", reason: { kind: "before-death" }, own: true, answeredLast: false },
      };
      return [
        observeData({ kind: "telemetry", name }, { releases }, { observed_at: at, fact: { kind: "deploy", deploy } }),
      ];
    },
  };
}

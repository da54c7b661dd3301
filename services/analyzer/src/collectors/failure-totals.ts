import type { Collector } from "@whence/engine";
import { observeData } from "@whence/engine";
import type { ScopedEvents } from "@whence/storage";
import { failureOf } from "./shared-reads.ts";

/** Collects how often the failure occurred, since when, and whom it affected; each stored event counts once. */
export function failureTotals(events: ScopedEvents): Collector {
  const name = "failure totals";
  return {
    name,
    async collect(findings) {
      const failure = failureOf(findings);
      const totals = failure && (await events.failure(failure.fingerprint));
      if (!totals) return [];
      const { firstSeen, lastSeen, services, routes, hosts, releases } = totals;
      const impact = {
        events: totals.events,
        first_seen: firstSeen,
        last_seen: lastSeen,
        services: [...services],
        routes: [...routes],
        hosts: [...hosts],
        releases: [...releases],
      };
      return [
        observeData({ kind: "telemetry", name }, totals, {
          observed_at: firstSeen,
          fact: { kind: "totals", impact },
        }),
      ];
    },
  };
}

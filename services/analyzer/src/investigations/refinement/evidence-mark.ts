import { hash } from "node:crypto";
import type { ScopedEvents, StoredEvent } from "@whence/storage";
import { knownReleases, type ReportedReleases } from "../../collectors/known-releases.ts";
import { failsEveryTime } from "./total-failure.ts";

const minuteMs = 60_000;
/** How far around the event other failures may be related. */
const aroundMs = 5 * minuteMs;
const releasesMs = 24 * 60 * minuteMs;
const failuresMax = 200;

/**
 * Identifies the evidence around an event. A different mark means that another service failed or was released, another
 * failure joined, this one occurred at least twice as often, or every request fails by now.
 */
export async function evidenceMark(
  events: ScopedEvents,
  failing: StoredEvent,
  { joined, reported }: { readonly joined: readonly string[]; readonly reported: ReportedReleases },
): Promise<string> {
  const { event, env, fingerprint } = failing;
  const at = Date.parse(event.timestamp);
  const from = (ms: number): string => new Date(at - ms).toISOString();
  const [failures, releases, isTotal] = await Promise.all([
    events.failures({ env, from: from(aroundMs), to: new Date(at + aroundMs).toISOString(), limit: failuresMax }),
    knownReleases(events, reported, { env, since: from(releasesMs) }),
    failsEveryTime(events, failing),
  ]);
  const own = failures.find((one) => one.fingerprint === fingerprint)?.events ?? 0;
  const known = [
    `every request ${isTotal}`,
    `doublings ${Math.floor(Math.log2(Math.max(1, own)))}`,
    ...failures.map((one) => `failure ${one.service} ${one.fingerprint}`),
    ...releases.map(({ service, release }) => `release ${service} ${release}`),
    ...joined.map((one) => `joined ${one}`),
  ];
  return hash("sha256", known.toSorted().join("\n"));
}

import type { CollectedFor } from "@whence/engine";
import { hourMs } from "@whence/protocol";
import type { ScopedEvents } from "@whence/storage";
import { type KnownRelease, knownReleases, type ReportedReleases } from "../releases/known-releases.ts";
import { type Addresses, learnAddresses, placeOf } from "./addresses.ts";
import { once, spanBefore } from "./shared-reads.ts";

/** How far back to look for a service's calls: one that responds well records few. */
const callsMs = 24 * hourMs;
const releasesMs = 24 * hourMs;
const eventsMax = 200;
const calleesMax = 5;

/** An announced failure of a service with a known environment, so that telemetry can be queried. */
export interface Announced {
  readonly service: string;
  readonly env: string;
  /** RFC 3339. */
  readonly at: string;
}

/** Returns null for an event, for a process exit, and where the service or its environment isn't known. */
export function announcedOf({ event, about }: CollectedFor): Announced | null {
  if (event || !about) return null;
  const { service, env, at } = about;
  return service === null || env === null ? null : { service, env, at };
}

/** Reads that several collectors need about an announced failure, each made once per investigation. */
export interface AnnouncedReads {
  readonly releases: () => Promise<readonly KnownRelease[]>;
  /** The services that answer at each address, by recent calls. */
  readonly addresses: () => Promise<Addresses>;
  /** The services that this one called recently. */
  readonly callees: () => Promise<readonly string[]>;
}

/** Returns the reads of one investigation, shared by all of its collectors. */
export type AnnouncedReadsOf = (announced: Announced) => AnnouncedReads;

export function announcedReads(
  events: ScopedEvents,
  reported: ReportedReleases | null,
  announced: Announced,
): AnnouncedReads {
  const { service, env } = announced;
  const releases = once(() => knownReleases(events, reported, { env, since: spanBefore(announced, releasesMs).from }));
  const span = spanBefore(announced, callsMs);
  const own = once(() => events.circumstances({ ...span, service, limit: eventsMax }));
  const addresses = once(async () => {
    const [everyone, ours, known, answered] = await Promise.all([
      events.circumstances({ ...span, limit: eventsMax, perService: calleesMax }),
      own(),
      releases(),
      events.answeredHosts(span),
    ]);
    return learnAddresses(
      [...everyone, ...ours],
      known.map((life) => life.service),
      answered,
    );
  });
  return {
    releases,
    addresses,
    callees: once(async () => {
      const [{ serviceAt }, ours] = await Promise.all([addresses(), own()]);
      const called = ours.flatMap(({ calls }) => calls).flatMap((call) => serviceAt(placeOf(call).host) ?? []);
      return [...new Set(called)].filter((callee) => callee !== service).slice(0, calleesMax);
    }),
  };
}

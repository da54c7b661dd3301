import { hash } from "node:crypto";
import type { AnnouncedFailure } from "@whence/engine";
import { minuteMs } from "@whence/protocol";
import type { ScopedEvents, Span, StoredEvent } from "@whence/storage";
import { stepsBefore } from "../../collectors/traced-calls.ts";
import { knownReleases, type ReportedReleases } from "../../releases/known-releases.ts";
import { failsEveryTime } from "./total-failure.ts";

/** How far around the event other failures may be related. */
const aroundMs = 5 * minuteMs;
/** How far before an announcement: alerts fire minutes after the problem began. */
const beforeAnnouncedMs = 15 * minuteMs;
const releasesMs = 24 * 60 * minuteMs;
const failuresMax = 200;

/** Where evidence is searched, besides the failure itself. */
interface Around {
  /** Fingerprints of failures that joined the incident. */
  readonly joined: readonly string[];
  readonly reported: ReportedReleases;
  /** The files that processes of the release have sent. */
  readonly sentFiles: string;
  /** Events that carried what was seen at watched places. */
  readonly watched: readonly string[];
}

/**
 * Identifies the evidence around an event. A different mark means that another service failed or was released, another
 * failure joined, this one occurred at least twice as often, every request fails by now, files of the program arrived,
 * steps of its trace that failed, or what was seen at watched places.
 */
export async function evidenceMark(events: ScopedEvents, failing: StoredEvent, around: Around): Promise<string> {
  const { event, env, fingerprint } = failing;
  const [known, isTotal, steps] = await Promise.all([
    knownAround(events, around, {
      env,
      at: event.timestamp,
      beforeMs: aroundMs,
      isOwn: (failure) => failure.fingerprint === fingerprint,
    }),
    failsEveryTime(events, failing),
    stepsBefore(events, failing),
  ]);
  const failed = new Set(
    steps.flatMap(({ service, name, error }) => (error === null ? [] : [`step ${service} ${name}`])),
  );
  return markOf([
    `every request ${isTotal}`,
    `files ${around.sentFiles}`,
    ...known,
    ...failed,
    ...around.watched.map((id) => `watched ${id}`),
  ]);
}

/**
 * The same for an announced failure, which may be any failure of its service. Telemetry may know the service by now.
 */
export async function announcedMark(
  events: ScopedEvents,
  { service, env, at, isInTelemetry }: AnnouncedFailure,
  around: Around,
): Promise<string> {
  const place = `place ${service} ${env} ${isInTelemetry}`;
  if (env === null) return markOf([place]);
  const known = await knownAround(events, around, {
    env,
    at,
    beforeMs: beforeAnnouncedMs,
    isOwn: (failure) => failure.service === service,
  });
  return markOf([place, ...known]);
}

interface Moment extends Pick<Span, "env"> {
  /** RFC 3339. */
  readonly at: string;
  readonly beforeMs: number;
  readonly isOwn: (failure: { readonly service: string; readonly fingerprint: string }) => boolean;
}

async function knownAround(
  events: ScopedEvents,
  { joined, reported }: Around,
  { env, at, beforeMs, isOwn }: Moment,
): Promise<readonly string[]> {
  const from = (ms: number): string => new Date(Date.parse(at) - ms).toISOString();
  const [failures, releases] = await Promise.all([
    events.failures({ env, from: from(beforeMs), to: from(-aroundMs), limit: failuresMax }),
    knownReleases(events, reported, { env, since: from(releasesMs) }),
  ]);
  const own = failures.filter(isOwn).reduce((sum, one) => sum + one.events, 0);
  return [
    `doublings ${Math.floor(Math.log2(Math.max(1, own)))}`,
    ...failures.map((one) => `failure ${one.service} ${one.fingerprint}`),
    ...releases.map(({ service, release }) => `release ${service} ${release}`),
    ...joined.map((one) => `joined ${one}`),
  ];
}

function markOf(known: readonly string[]): string {
  return hash("sha256", known.toSorted().join("\n"));
}

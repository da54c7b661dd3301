import type { CollectedFor, EventFacts } from "@whence/engine";
import { hourMs, minuteMs } from "@whence/protocol";
import type { Circumstances, MinuteActivity, ScopedEvents, Span, SpreadCount } from "@whence/storage";
import { type KnownRelease, knownReleases, type ReportedReleases } from "../releases/known-releases.ts";
import { type Addresses, learnAddresses } from "./addresses.ts";

/** How far back the rate is read, minute by minute. */
const windowMs = 4 * hourMs;
/** How far back shares are compared: enough to show what is ordinary. */
const spreadMs = 2 * hourMs;
/** How far back examples are read. */
const examplesMs = 2 * hourMs;
const addressesMs = 10 * minuteMs;
const releasesMs = 24 * hourMs;
const ownMax = 40;
const othersMax = 200;
const perServiceMax = 30;
const everyoneMax = 300;
const tracesMax = 20;

/** An event with its envelope, whose failure has a fingerprint. */
export interface Failure {
  readonly event: EventFacts;
  readonly fingerprint: string;
}

/** Reads that several collectors need, each made once per investigation, when it is first needed. */
export interface SharedReads {
  /** The last events of this failure, including the investigated one if it is among the last. */
  readonly own: () => Promise<readonly Circumstances[]>;
  /** The last events of the service that aren't of this failure. */
  readonly others: () => Promise<readonly Circumstances[]>;
  /** The addresses of services. */
  readonly addresses: () => Promise<Addresses>;
  /** The releases that ran recently, and those reported as live. */
  readonly releases: () => Promise<readonly KnownRelease[]>;
  /** The events of other services in the traces of this failure's last events that have arrived so far. */
  readonly traceMembers: () => Promise<readonly Circumstances[]>;
  readonly spread: () => Promise<readonly SpreadCount[]>;
  /** How often the service failed this way, minute by minute. */
  readonly activity: () => Promise<readonly MinuteActivity[]>;
}

/** Returns the shared reads of a failure, which are the same for all collectors of one investigation. */
export type ReadsOf = (failure: Failure) => SharedReads;

/** Returns the span before a time, and a minute after it for what belongs to it. */
export function spanBefore({ env, at }: Pick<EventFacts, "env" | "at">, ms: number): Span {
  const moment = Date.parse(at);
  return { env, from: new Date(moment - ms).toISOString(), to: new Date(moment + minuteMs).toISOString() };
}

/** Returns the window over which the rate of a failure is read. */
export function windowOf({ event, fingerprint }: Failure) {
  return { ...spanBefore(event, windowMs), service: event.service, fingerprint };
}

/** Returns the investigated failure; null without an event, and without a fingerprint. */
export function failureOf({ event, incident }: CollectedFor): Failure | null {
  return event && incident.fingerprint !== null ? { event, fingerprint: incident.fingerprint } : null;
}

export function sharedReads(events: ScopedEvents, reported: ReportedReleases | null, failure: Failure): SharedReads {
  const { event, fingerprint } = failure;
  const { service } = event;
  const span = spanBefore(event, examplesMs);
  const everyone = once(() =>
    events.circumstances({ ...spanBefore(event, addressesMs), perService: perServiceMax, limit: everyoneMax }),
  );
  const releases = once(() =>
    knownReleases(events, reported, { env: event.env, since: spanBefore(event, releasesMs).from }),
  );
  const own = once(() => events.circumstances({ ...span, service, fingerprint, limit: ownMax }));
  return {
    own,
    others: once(() => events.circumstances({ ...span, service, otherThan: fingerprint, limit: othersMax })),
    releases,
    traceMembers: once(async () => {
      const ids = [event.trace?.trace_id ?? "", ...(await own()).map(({ traceId }) => traceId)];
      const traceIds = [...new Set(ids.filter((id) => id !== ""))].slice(0, tracesMax);
      if (traceIds.length === 0) return [];
      const members = await events.circumstances({ ...span, traceIds, limit: everyoneMax });
      return members.filter((member) => member.service !== service);
    }),
    addresses: once(async () => {
      const around = spanBefore(event, addressesMs);
      const reading = [everyone(), own(), releases(), events.answeredHosts(around)] as const;
      const [seen, ours, known, answered] = await Promise.all(reading);
      return learnAddresses(
        [...seen, ...ours],
        known.map((life) => life.service),
        answered,
      );
    }),
    spread: once(() => events.spread({ ...spanBefore(event, spreadMs), service, fingerprint })),
    activity: once(() => events.activity(windowOf(failure))),
  };
}

/**
 * The deadline of a collector that waits for shared reads, or whose own wait behind them: the embedded store answers
 * one after another, which may be slow on a busy machine.
 */
export const busyDeadlineMs = 9_000;

/** Reads on the first call, and returns the same result afterwards. */
export function once<Value>(read: () => Promise<Value>): () => Promise<Value> {
  let answer: Promise<Value> | undefined;
  return () => {
    answer ??= read();
    return answer;
  };
}

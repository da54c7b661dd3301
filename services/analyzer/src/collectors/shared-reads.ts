import type { CollectedFor, EventFacts } from "@whence/engine";
import type { Circumstances, ReleaseLife, ScopedEvents, Span, SpreadCount } from "@whence/storage";
import { type Addresses, learnAddresses } from "./addresses.ts";

const minuteMs = 60_000;
const hourMs = 60 * minuteMs;
/** How far back the rate is looked at, minute by minute. */
const windowMs = 4 * hourMs;
/** How far back shares are compared: enough to see what is ordinary. */
const spreadMs = 2 * hourMs;
/** How far back examples are looked for. */
const examplesMs = 2 * hourMs;
const addressesMs = 10 * minuteMs;
const releasesMs = 24 * hourMs;
const ownMax = 40;
const othersMax = 200;
const perServiceMax = 30;
const everyoneMax = 300;
const releasesMax = 200;
const tracesMax = 20;

/** An event and what belongs to it, whose failure has a fingerprint. */
export interface Failure {
  readonly event: EventFacts;
  readonly fingerprint: string;
}

/** What several collectors need, read once for an investigation, each when it is first asked for. */
export interface SharedReads {
  /** The last events of this failure, the one that is investigated among them if it is one of the last. */
  readonly own: () => Promise<readonly Circumstances[]>;
  /** The last events of the service that are not of this failure. */
  readonly others: () => Promise<readonly Circumstances[]>;
  /** Who answers where. */
  readonly addresses: () => Promise<Addresses>;
  readonly releases: () => Promise<readonly ReleaseLife[]>;
  /** The events of other services in the traces of the last events of this failure, as far as they have been heard from. */
  readonly traceMembers: () => Promise<readonly Circumstances[]>;
  readonly spread: () => Promise<readonly SpreadCount[]>;
}

/** What is read for a failure; the same answers for whoever asks during one investigation. */
export type ReadsOf = (failure: Failure) => SharedReads;

/** What is asked for around a moment: up to a minute after it, to see what belongs to it. */
export function spanBefore({ env, at }: Pick<EventFacts, "env" | "at">, ms: number): Span {
  const moment = Date.parse(at);
  return { env, from: new Date(moment - ms).toISOString(), to: new Date(moment + minuteMs).toISOString() };
}

/** The window in which the rate of a failure is looked at. */
export function windowOf({ event, fingerprint }: Failure) {
  return { ...spanBefore(event, windowMs), service: event.service, fingerprint };
}

/** The failure that is investigated; null for a pasted text, and for what has no fingerprint. */
export function failureOf({ event, incident }: CollectedFor): Failure | null {
  return event && incident.fingerprint !== null ? { event, fingerprint: incident.fingerprint } : null;
}

export function sharedReads(events: ScopedEvents, failure: Failure): SharedReads {
  const { event, fingerprint } = failure;
  const { service } = event;
  const span = spanBefore(event, examplesMs);
  const everyone = once(() =>
    events.circumstances({ ...spanBefore(event, addressesMs), perService: perServiceMax, limit: everyoneMax }),
  );
  const releases = once(() =>
    events.releases({ env: event.env, since: spanBefore(event, releasesMs).from, limit: releasesMax }),
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
      const [seen, ours, known] = await Promise.all([everyone(), own(), releases()]);
      return learnAddresses(
        [...seen, ...ours],
        known.map((life) => life.service),
      );
    }),
    spread: once(() => events.spread({ ...spanBefore(event, spreadMs), service, fingerprint })),
  };
}

/** How long a collector may take whose questions wait for those of others: on a busy machine that takes a while. */
export const busyDeadlineMs = 9_000;

function once<Value>(read: () => Promise<Value>): () => Promise<Value> {
  let answer: Promise<Value> | undefined;
  return () => {
    answer ??= read();
    return answer;
  };
}

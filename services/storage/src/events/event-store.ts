import type { Dropped, Host, Level, TelemetryEvent } from "@whence/protocol";
import type { StoredMeasure } from "./measures.ts";
import type { StoredReading } from "./readings.ts";
import type { ServiceTelemetry } from "./service-telemetry.ts";
import type { StoredSessions } from "./sessions.ts";
import type { StoredSpan } from "./spans.ts";
import type { AnswerCount, Surroundings } from "./surroundings.ts";

/**
 * Telemetry, append and aggregate. One implementation, `clickhouse-event-store.ts`; only its connection differs between
 * the embedded engine and a cluster.
 */
export interface EventStore {
  /**
   * Stores the events; resolves once they would survive the death of this process. An event whose id is
   * already stored isn't stored twice. Rejects with `WHENCE_ERR_EVENTS_UNAVAILABLE`: any of the events may be stored then.
   */
  insert(events: readonly StoredEvent[]): Promise<void>;

  /**
   * The part of `insert` that costs this thread its time, apart: a writer does it batch by batch, while the engine is
   * busy with what it was given before.
   */
  prepare(events: readonly StoredEvent[]): PreparedEvents;

  /** `insert` of what was prepared, as one. */
  insertPrepared(parts: readonly PreparedEvents[]): Promise<void>;

  /** Stores losses that came without an event, as `insert` stores events; reported twice they are kept once. */
  insertLosses(losses: readonly StoredLosses[]): Promise<void>;

  /** Stores spans as `insert` stores events; a repeated one is kept once. */
  insertSpans(spans: readonly StoredSpan[]): Promise<void>;

  /** Stores the state of processes that send no heartbeats, which is read beside that of those that do. */
  insertReadings(readings: readonly StoredReading[]): Promise<void>;

  /** Stores what metrics count. Resolves once it is stored; the latest one of a series and minute stays. */
  insertMeasures(measures: readonly StoredMeasure[]): Promise<void>;

  /** Counts sessions. Resolves once they are stored; sessions with the same ID count once. */
  insertSessions(sessions: readonly StoredSessions[]): Promise<void>;

  /** The events of one scope: the only way to read them. */
  forScope(scopeId: string): ScopedEvents;

  /** Every event of every scope, each id once, in chunks: for a backup, and for nothing else. Spans, readings, measures, and sessions aren't backed up. */
  everything(): AsyncIterable<readonly StoredEvent[]>;

  /** Missing events by `reason`, of recently seen instances of all scopes together. */
  missing(since: string): Promise<readonly { readonly reason: string; readonly events: number }[]>;

  /** The scopes in which a process of the environment has reported since then (RFC 3339). */
  activeScopes(env: string, since: string): Promise<readonly string[]>;

  /** Resolves if the store answers; rejects with `WHENCE_ERR_EVENTS_UNAVAILABLE` otherwise. */
  check(): Promise<void>;

  close(): Promise<void>;
}

/** An event as it is kept: what the client sent, what its batch said of it, and what the writer added. */
export interface StoredEvent {
  readonly scopeId: string;
  readonly event: TelemetryEvent;
  /** `event` as JSON without line breaks and tabs, if that is at hand: it need not be made again. Not read back. */
  readonly eventText?: string | undefined;
  readonly service: string;
  readonly env: string;
  readonly release: string;
  readonly instance: string;
  readonly host: Host;
  readonly sdk: { readonly name: string; readonly version: string };
  /** Empty for what is no failure (heartbeats, exits, logs below `error`). */
  readonly fingerprint: string;
  /** RFC 3339 with milliseconds: when the gateway took it. */
  readonly receivedAt: string;
  /** Losses that its batch reported: kept with the batch's first event, absent from the others. */
  readonly dropped?: readonly Dropped[];
  /** How long its organization keeps it. Absent: as long as the service does. */
  readonly retentionDays?: number;
  /** The time that its client gave, where `event.timestamp` is the receipt's: it could not be right. */
  readonly claimedAt?: string;
}

/** Events in the store's own form. */
export interface PreparedEvents {
  readonly count: number;
  readonly rows: Buffer;
}

/** Losses that a batch reported without an event that they could be kept with. */
export interface StoredLosses extends Omit<StoredEvent, "event" | "eventText" | "fingerprint" | "claimedAt"> {
  readonly dropped: readonly Dropped[];
}

export interface ScopedEvents extends Surroundings, ServiceTelemetry {
  event(id: string): Promise<StoredEvent | null>;

  /** Newest first, unless asked otherwise. Times are RFC 3339, `from` included and `to` excluded. */
  find(filter: EventFilter): Promise<readonly StoredEvent[]>;

  /**
   * Events of one failure, counted once per id: how many, since when, where; up to the end of the minute of `until`
   * (RFC 3339), or all that are kept. Null when there are none.
   */
  failure(fingerprint: string, until?: string): Promise<FailureTotals | null>;

  /** Events of one failure by minute, oldest first, minutes without any left out. */
  failureByMinute(span: FailureSpan): Promise<readonly MinuteCount[]>;

  /** Events of several failures by hour and environment, oldest first, hours without any left out. */
  failuresByHour(span: FailuresSpan): Promise<readonly FailureHour[]>;

  /** Where the events of one failure happened in a span. */
  failurePlaces(span: FailureSpan): Promise<FailurePlaces>;

  /** How many users the events of one failure name in a span, in the latest 10,000 of them. */
  failureUsers(span: FailureSpan): Promise<number>;

  /** When each release of a service was first seen in a span, the earliest first. */
  firstReleases(service: string, from: string, to: string): Promise<readonly ReleaseStart[]>;

  /** The first event of each failure of a service's release: that of `fingerprint`, then those of others by time. */
  firstOfFailures(filter: ReleaseFailures): Promise<readonly StoredEvent[]>;

  /** The delivery accounts of processes, the most recently seen first. */
  deliveries(filter: DeliveryFilter): Promise<readonly DeliveryAccount[]>;

  /** The processes of an environment that reported since then (RFC 3339), the most recently seen first. */
  processes(filter: { env: string; since: string; limit: number }): Promise<readonly ProcessLife[]>;

  /**
   * Each service in each environment that reported since `since`, the most recently seen first; its processes that
   * reported since `aliveSince` and have not ended; and its failures and answers by hour, without empty hours.
   */
  services(filter: {
    readonly since: string;
    readonly aliveSince: string;
    readonly limit: number;
  }): Promise<readonly ServiceOverview[]>;

  /**
   * Keeps what is stored already for so long from now on; new events bring their own `retentionDays`. Resolves once the
   * store has taken it on: rows are rewritten in the background, and what is too old then goes when they are merged.
   */
  retain(days: number): Promise<void>;

  /**
   * Removes what was received before the moment (RFC 3339), of one service or of all. Resolves once queries no longer
   * find it; its disk space is freed in the background.
   */
  erase(what: { readonly service?: string | undefined; readonly receivedBefore: string }): Promise<void>;

  /** Every event of the scope, each id once, in chunks: for an export. */
  everything(): AsyncIterable<readonly StoredEvent[]>;
}

/** Times are RFC 3339, `from` included and `to` excluded. */
export interface FailureSpan {
  readonly fingerprint: string;
  /** Of every environment when absent. */
  readonly env?: string | undefined;
  readonly from: string;
  readonly to: string;
}

/** How one service is in one environment. Times are RFC 3339. */
export interface ServiceOverview {
  readonly service: string;
  readonly env: string;
  /** Of the process seen last; empty when it reported none. */
  readonly release: string;
  readonly lastSeenAt: string;
  /** Processes that reported recently, and neither their end nor the exception that ended them. */
  readonly processes: number;
  /** Where its client keeps events until they are sent, or why in memory only, as it said last; both empty: it didn't. */
  readonly spoolFolder: string;
  readonly spoolOff: string;
  /** Of the service in every environment, the oldest hour first. */
  readonly failures: readonly { readonly hour: string; readonly events: number }[];
  /** In this environment, by hour, the oldest first; none: it answered none, or does not say. */
  readonly answers: readonly AnswerCount[];
}

/** Times are RFC 3339, `from` included and `to` excluded. */
export interface ReleaseFailures {
  readonly service: string;
  readonly release: string;
  readonly fingerprint: string;
  readonly from: string;
  readonly to: string;
  readonly limit: number;
}

export interface DeliveryFilter {
  /** RFC 3339: reported since then. */
  readonly since: string;
  readonly limit: number;
  readonly service?: string;
  readonly instance?: string;
}

/** When one process reported. */
export interface ProcessLife {
  readonly instance: string;
  readonly service: string;
  readonly host: string;
  /** RFC 3339, by the gateway's clock. */
  readonly firstSeenAt: string;
  readonly lastSeenAt: string;
  /** Whether it reported its shutdown (`exit`). */
  readonly ended: boolean;
}

/** What one process's life sent, by sequence number: 1, 2, 3, … (the wire format, `seq`). */
export interface DeliveryAccount {
  readonly instance: string;
  readonly service: string;
  readonly env: string;
  readonly host: string;
  readonly firstReceivedAt: string;
  readonly lastReceivedAt: string;
  /** Different sequence numbers stored. */
  readonly received: number;
  /** The highest sequence number seen, on an event or in a reported loss. */
  readonly lastSeq: number;
  /** Whether it reported its shutdown (`exit`). */
  readonly ended: boolean;
  /**
   * The numbers up to `lastSeq` that never came, in order, ranges apart by reason; at most 1,000.
   * The reason is what the client or the gateway reported, `unaccounted` when neither did.
   */
  readonly missing: readonly { readonly fromSeq: number; readonly toSeq: number; readonly reason: string }[];
  /** How many numbers are missing in all. */
  readonly missingEvents: number;
}

export interface EventFilter {
  readonly from: string;
  readonly to: string;
  readonly limit: number;
  readonly oldestFirst?: boolean;
  /** The event that the found ones come after, in their order: by time, then by ID. */
  readonly after?: { readonly timestamp: string; readonly id: string };
  readonly ids?: readonly string[];
  readonly service?: string;
  readonly env?: string;
  readonly instance?: string;
  readonly fingerprint?: string;
  readonly traceId?: string;
  readonly types?: readonly TelemetryEvent["type"][];
  readonly levels?: readonly Level[];
}

export interface FailureTotals {
  readonly events: number;
  readonly firstSeen: string;
  readonly lastSeen: string;
  readonly services: readonly string[];
  readonly routes: readonly string[];
  readonly hosts: readonly string[];
  readonly releases: readonly string[];
}

/** Times are RFC 3339, `from` included and `to` excluded. */
export interface FailuresSpan {
  readonly fingerprints: readonly string[];
  readonly from: string;
  readonly to: string;
}

export interface FailureHour {
  readonly fingerprint: string;
  readonly env: string;
  /** RFC 3339, at the full hour. */
  readonly hour: string;
  readonly events: number;
}

export interface MinuteCount {
  /** RFC 3339, at the full minute. */
  readonly minute: string;
  readonly events: number;
}

export interface NameCount {
  readonly name: string;
  readonly events: number;
}

/** Each the most frequent first, the most frequent 20 only; an event without a name counts nowhere. */
export interface FailurePlaces {
  readonly routes: readonly NameCount[];
  readonly hosts: readonly NameCount[];
  readonly releases: readonly NameCount[];
}

export interface ReleaseStart {
  readonly release: string;
  readonly firstSeen: string;
}

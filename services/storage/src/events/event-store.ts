import type { Dropped, Host, Level, TelemetryEvent } from "@whence/protocol";

/**
 * Telemetry, append and aggregate. One implementation, `clickhouse-event-store.ts`; only its connection differs between
 * the embedded engine and a cluster.
 */
export interface EventStore {
  /**
   * Stores the events; resolves once they would survive the death of this process. An event whose id is stored already
   * is stored once, whoever sends it again. Rejects with `WHENCE_ERR_EVENTS_UNAVAILABLE`; then nothing may be assumed.
   */
  insert(events: readonly StoredEvent[]): Promise<void>;

  /** The events of one scope. There is no other way to read. */
  forScope(scopeId: string): ScopedEvents;

  close(): Promise<void>;
}

/** An event as it is kept: what the client sent, what its batch said of it, and what the writer added. */
export interface StoredEvent {
  readonly scopeId: string;
  readonly event: TelemetryEvent;
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
}

export interface ScopedEvents {
  event(id: string): Promise<StoredEvent | null>;

  /** Newest first. Times are RFC 3339, `from` included and `to` excluded. */
  find(filter: EventFilter): Promise<readonly StoredEvent[]>;

  /** Events of one failure, counted once per id: how many, since when, where. Null when there are none. */
  failure(fingerprint: string): Promise<FailureTotals | null>;

  /** Events of one failure by minute, oldest first, minutes without any left out. */
  failureByMinute(fingerprint: string, from: string, to: string): Promise<readonly MinuteCount[]>;
}

export interface EventFilter {
  readonly from: string;
  readonly to: string;
  readonly limit: number;
  readonly service?: string;
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

export interface MinuteCount {
  /** RFC 3339, at the full minute. */
  readonly minute: string;
  readonly events: number;
}

/**
 * The state of a process in one minute, reported other than by heartbeat. Kept for a few days, independent of the
 * retention of events.
 */
export interface StoredReading {
  readonly scopeId: string;
  readonly service: string;
  readonly env: string;
  readonly release: string;
  readonly instance: string;
  readonly host: string;
  /** Name and version. */
  readonly runtime: string;
  /** RFC 3339. */
  readonly at: string;
  /** Bytes and milliseconds; 0 where nothing was said. */
  readonly rssBytes: number;
  readonly heapUsedBytes: number;
  readonly heapLimitBytes: number;
  readonly eventLoopDelayMs: number;
  /** Of the processors that it may use, the share that it used, from 0 to 1; 0 where nothing was said. */
  readonly cpu: number;
  /** Of its pools of connections the one that is closest to its limit; null when it reports none. */
  readonly pool: PoolReading | null;
  /** RFC 3339 with milliseconds: when the gateway took it. */
  readonly receivedAt: string;
  /** How long its organization keeps telemetry, if that is less than readings are kept. */
  readonly retentionDays?: number;
}

/** How full a pool of connections was. */
export interface PoolReading {
  readonly name: string;
  readonly used: number;
  /** 0 where nothing was said. */
  readonly max: number;
  /** Requests that wait for a connection. */
  readonly waiting: number;
}

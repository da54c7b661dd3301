/**
 * One series of a metric, as a service exported it in a minute. Kept for a few days, independent of the retention of
 * events.
 */
export interface StoredMeasure {
  readonly scopeId: string;
  readonly service: string;
  readonly env: string;
  readonly release: string;
  readonly instance: string;
  readonly host: string;
  readonly kind: MeasureKind;
  /** What it is about: the route, the destination, or the queue; empty for restarts. */
  readonly name: string;
  /** Tells series of the same kind and name apart: a hash of what else was said. */
  readonly series: string;
  /** Whether what it counts failed. */
  readonly failed: boolean;
  readonly counting: Counting;
  /** RFC 3339: since when it counts; null when that isn't said. */
  readonly since: string | null;
  /** RFC 3339. */
  readonly at: string;
  readonly value: number;
  /** RFC 3339 with milliseconds: when the gateway took it. */
  readonly receivedAt: string;
  /** How long its organization keeps telemetry, if that is less than measures are kept. */
  readonly retentionDays?: number;
}

/** Answered requests of a route, processed messages of a destination, waiting messages, or restarts of a container. */
export type MeasureKind = "route" | "process" | "queue" | "restarts";

/**
 * Counted since a start; the first value of such a count, at its start, which needn't be 0; counted since the export
 * before; or as it is.
 */
export type Counting = "total" | "first" | "delta" | "gauge";

/** How often something was done and failed, in the last minutes of a span and in the time before. */
export interface MeasuredRate {
  readonly service: string;
  readonly kind: "route" | "process" | "restarts";
  readonly name: string;
  readonly recent: number;
  readonly recentFailed: number;
  readonly earlier: number;
  readonly earlierFailed: number;
  /** RFC 3339: when it was counted last. */
  readonly lastAt: string;
}

/** How many messages wait in a queue, at the end of a span and usually. */
export interface MeasuredQueue {
  readonly service: string;
  readonly name: string;
  readonly last: number;
  /** The median of the minutes before the last ones; null when nothing was said then. */
  readonly usual: number | null;
  /** RFC 3339. */
  readonly lastAt: string;
}

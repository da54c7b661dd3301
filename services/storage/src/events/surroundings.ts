import type { MeasuredQueue, MeasuredRate } from "./measures.ts";
import type { PoolReading } from "./readings.ts";
import type { StoredSpan } from "./spans.ts";

/**
 * A summary of what happened around a failure: counts, and events without their bodies. Times are RFC 3339, `from`
 * included and `to` excluded. Repeated events count once. A query times out after {@link questionSecondsMax}.
 */
export interface Surroundings {
  /** What a service sent, minute by minute, the oldest first; minutes without anything left out. */
  activity(filter: FailureWindow): Promise<readonly MinuteActivity[]>;

  /**
   * How a failure, the service's other failures and its processes' heartbeats spread over releases, hosts, instances and
   * routes: for each the most failing values, and `total` over all.
   */
  spread(filter: FailureWindow): Promise<readonly SpreadCount[]>;

  /** The newest events that are failures or logs, and what they say of their circumstances. */
  circumstances(filter: CircumstancesFilter): Promise<readonly Circumstances[]>;

  /** Failures of all services in a span, each with how often it came in an equal span before; the most frequent first. */
  failures(filter: Span & { readonly limit: number }): Promise<readonly FailureCount[]>;

  /** The traces with any of these failures, the newest first, and which of them. */
  failingTraces(
    filter: Span & { readonly fingerprints: readonly string[]; readonly limit: number },
  ): Promise<readonly FailingTrace[]>;

  /** The releases that processes of all services, or of one, ran; the newest first. */
  releases(filter: ReleasesFilter): Promise<readonly ReleaseLife[]>;

  /** The processes that reported since then, the most recently seen first. */
  lives(filter: LivesFilter): Promise<readonly InstanceLife[]>;

  /** The health of processes by their heartbeats, one row each, the most recently seen first. */
  vitals(filter: VitalsFilter): Promise<readonly InstanceVitals[]>;

  /** How often services answered, processed, and restarted, and failed at it, those that failed most recently first. */
  measuredRates(filter: MeasuresFilter): Promise<readonly MeasuredRate[]>;

  /** How many messages wait in the queues of services, the longest first. */
  measuredQueues(filter: MeasuresFilter): Promise<readonly MeasuredQueue[]>;

  /** Steps of traces, as far as they are kept, newest first. */
  spans(filter: SpanFilter): Promise<readonly TraceStep[]>;

  /** The services that handled calls to each host, by the newest spans of both, the most frequent first. */
  answeredHosts(span: Span): Promise<readonly AnsweredHost[]>;

  /**
   * What a service answered by minute of its heartbeats, which each cover the minute before, the oldest first. Minutes
   * without requests are left out. Empty when it answered none or doesn't report them.
   */
  answers(filter: Span & { readonly service: string }): Promise<readonly AnswerCount[]>;
}

/** The time after which the engine cancels a query. */
export const questionSecondsMax = 2;

export interface Span {
  readonly env: string;
  readonly from: string;
  readonly to: string;
}

export interface FailureWindow extends Span {
  readonly service: string;
  readonly fingerprint: string;
}

export interface MinuteActivity {
  /** RFC 3339, at the full minute. */
  readonly minute: string;
  readonly failing: number;
  readonly otherFailures: number;
  readonly heartbeats: number;
}

export const spreadDimensions = ["total", "release", "host", "instance", "route"] as const;

export interface SpreadCount {
  readonly dimension: (typeof spreadDimensions)[number];
  readonly value: string;
  readonly failing: number;
  readonly otherFailures: number;
  /** Of processes: a route has none. */
  readonly heartbeats: number;
}

export interface CircumstancesFilter extends Span {
  readonly limit: number;
  readonly service?: string;
  readonly fingerprint?: string;
  /** Events of every other failure, and those that are none. */
  readonly otherThan?: string;
  readonly traceIds?: readonly string[];
  /** Maximum events of each service, */
  readonly perService?: number;
  /** or of each of these failures. */
  readonly fingerprints?: readonly string[];
  readonly perFailure?: number;
}

export interface Circumstances {
  readonly id: string;
  readonly at: string;
  readonly service: string;
  readonly release: string;
  readonly host: string;
  readonly instance: string;
  /** Name and version. */
  readonly runtime: string;
  readonly fingerprint: string;
  readonly traceId: string;
  /** The first 300 characters. */
  readonly message: string;
  /** Of the request that was served; empty without one. */
  readonly method: string;
  readonly path: string;
  readonly route: string;
  /** What its caller called this service, by the header `host`. */
  readonly calledAs: string;
  readonly userAgent: string;
  /** The last outgoing calls before it, oldest first. */
  readonly calls: readonly RecordedCall[];
}

export interface RecordedCall {
  /** As the client wrote it. */
  readonly at: string;
  readonly method: string;
  readonly url: string;
  readonly statusCode: number | null;
  readonly durationMs: number | null;
  /** Code and message; null when it did not fail. */
  readonly error: string | null;
  /** Whether it was made outside of any request or job. */
  readonly isOfProcess: boolean;
}

export interface FailureCount {
  readonly service: string;
  readonly fingerprint: string;
  readonly events: number;
  /** In as long a span before. */
  readonly before: number;
  readonly firstAt: string;
  readonly lastAt: string;
}

export interface FailingTrace {
  readonly traceId: string;
  /** Of the first of the failures in it. */
  readonly at: string;
  readonly fingerprints: readonly string[];
}

export interface ReleaseLife {
  readonly service: string;
  readonly release: string;
  /** When one of its processes started or, where that isn't known, was first seen. */
  readonly firstAt: string;
  readonly isStartKnown: boolean;
  /** When one was last seen. */
  readonly lastAt: string;
  readonly lives: number;
  /** When its processes started or were first seen, at most {@link startsMax} of them, the newest first. */
  readonly starts: readonly string[];
  /** When a process that hasn't shut down was last seen; null when all have. */
  readonly runningAt: string | null;
}

/** Starts returned at most: more than most services have processes. */
export const startsMax = 200;

export interface ReleasesFilter {
  readonly env: string;
  readonly since: string;
  readonly limit: number;
  readonly service?: string | undefined;
}

export interface LivesFilter {
  readonly env: string;
  readonly since: string;
  readonly limit: number;
  readonly service?: string;
  readonly host?: string;
}

/** One life of one process. */
export interface InstanceLife {
  readonly service: string;
  readonly instance: string;
  readonly host: string;
  /** Empty when it said none. */
  readonly release: string;
  readonly firstAt: string;
  readonly lastAt: string;
  /** Whether it reported its shutdown. */
  readonly ended: boolean;
}

export interface AnswerCount {
  /** RFC 3339, at the full minute or hour. */
  readonly at: string;
  readonly requests: number;
  /** Those of them that were answered with 500 and above. */
  readonly failed: number;
}

export interface VitalsFilter extends Span {
  readonly limit: number;
  readonly services: readonly string[];
}

/** The services to read; the last five minutes of the span are compared with the rest. */
export type MeasuresFilter = VitalsFilter;

/**
 * The memory of one process: of its heap or, if no heartbeat reports that, of the whole process; never one at first and
 * the other later.
 */
export interface MemoryVitals {
  readonly of: "heap" | "process";
  /** How many heartbeats report it, and when the first of them was sent. */
  readonly beats: number;
  readonly since: string;
  readonly firstBytes: number;
  readonly lastBytes: number;
  /** Of the heap; null when unknown. */
  readonly limitBytes: number | null;
  /** Bytes a second, by least squares, and how well the line fits: the correlation, -1 to 1; 0 for fewer than three. */
  readonly slope: number;
  readonly fit: number;
}

/** The heartbeats of one process. Bytes, milliseconds, and seconds as their names say; 0 where nothing was said. */
export interface InstanceVitals {
  readonly service: string;
  readonly instance: string;
  readonly host: string;
  readonly release: string;
  readonly beats: number;
  readonly firstAt: string;
  readonly lastAt: string;
  /** Null when no heartbeat reports it. */
  readonly memory: MemoryVitals | null;
  readonly loopDelayMax: number;
  readonly loopDelayMedian: number;
  readonly loopDelayLast: number;
  readonly uptimeSeconds: number;
  /** Null when it doesn't report how much of its processors it used. */
  readonly cpu: CpuVitals | null;
  /** Of its pools of connections, in the last minutes, the one that was closest to its limit. */
  readonly pool: PoolReading | null;
}

/** Of the processors that a process may use, the share that it used, from 0 to 1. */
export interface CpuVitals {
  /** In its last reading, of the last minutes. */
  readonly last: number;
  readonly median: number;
}

/** A step of a trace, and the outgoing request that it is; null for any other step. */
export interface TraceStep extends StoredSpan {
  readonly call: RecordedCall | null;
}

/** The spans to read: the newest that apply. */
export interface SpanFilter extends Span {
  readonly limit: number;
  readonly traceIds?: readonly string[];
  readonly service?: string;
  readonly kinds?: readonly StoredSpan["kind"][];
}

/** A service that handled what was called at a host, by the spans of both. */
export interface AnsweredHost {
  readonly host: string;
  readonly service: string;
  readonly calls: number;
}

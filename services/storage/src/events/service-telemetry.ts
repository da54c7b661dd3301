import type { Span } from "./surroundings.ts";

/**
 * Telemetry of one service over a span, for people who look at it. Times are RFC 3339, `from` included and `to`
 * excluded. Repeated events and heartbeats count once. A query times out after `questionSecondsMax`.
 */
export interface ServiceTelemetry {
  /** The environments in which the service has reported, as far as that is kept; the most recently seen first. */
  serviceEnvs(service: string): Promise<readonly ServiceEnv[]>;

  /** Its failures and heartbeats in steps of `stepSeconds`, the oldest first; steps without either are left out. */
  serviceCourse(filter: ServiceSpan & { readonly stepSeconds: number }): Promise<readonly CourseStep[]>;

  /** What each of its releases failed and answered, the most failing first; at most {@link releasesComparedMax}. */
  releaseCounts(filter: ServiceSpan): Promise<readonly ReleaseCount[]>;

  /** How many sessions began in each hour of the span, by release, and how many of them failed. */
  sessionCounts(filter: ServiceSpan): Promise<SessionCounts>;

  /** Returns which of these processes reported the exception that ended them, and no heartbeat since. */
  crashes(filter: ServiceSpan & { readonly instances: readonly string[] }): Promise<readonly Crash[]>;

  /**
   * The calls to other hosts that its latest events and heartbeats recorded as breadcrumbs, each once, and those that its
   * latest spans stand for; the most called host first. A sample: a client keeps its last calls only.
   */
  calledHosts(filter: ServiceSpan): Promise<readonly CalledHost[]>;
}

export const releasesComparedMax = 50;

export interface ServiceSpan extends Span {
  readonly service: string;
}

/** Sessions of the newest hours, which are all of a span unless it has more than 20,000 pairs of an hour and a release. */
export interface SessionCounts {
  /** RFC 3339: the first hour that is counted, in full. */
  readonly from: string;
  /** The oldest hour first; hours without any are left out. */
  readonly counts: readonly SessionCount[];
}

/** Exact for some thousand sessions, and within about 1% for more; crashed and unhandled together are, too. */
export interface SessionCount {
  /** Empty for what named none. */
  readonly release: string;
  /** RFC 3339, at the full hour. */
  readonly hour: string;
  readonly sessions: number;
  readonly crashed: number;
  /** Those that went on after an error that nothing caught. */
  readonly unhandled: number;
}

export interface ServiceEnv {
  readonly env: string;
  readonly lastSeenAt: string;
}

/** One step of a service's course. */
export interface CourseStep {
  /** When it begins, RFC 3339. */
  readonly at: string;
  /** Failing events. */
  readonly failures: number;
  /** Requests answered, and those answered with 500 and above; 0 also where they aren't reported. */
  readonly requests: number;
  readonly failed: number;
  /** Processes that sent a heartbeat. */
  readonly processes: number;
  /** Of the process with the most memory, and of the one whose event loop was the latest; 0 where none says. */
  readonly memoryBytes: number;
  readonly loopDelayMs: number;
}

export interface ReleaseCount {
  /** Empty for what named none. */
  readonly release: string;
  readonly failures: number;
  readonly requests: number;
  readonly failed: number;
}

export interface Crash {
  readonly instance: string;
  readonly at: string;
}

export interface CalledHost {
  /** With its port, if the URL has one. */
  readonly host: string;
  readonly calls: number;
  /** Answered with 500 and above, or not at all. */
  readonly failed: number;
  /** Null when no call recorded its duration. */
  readonly medianMs: number | null;
  readonly slowMs: number | null;
}

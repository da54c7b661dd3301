import type { Category, Impact, Location } from "@whence/protocol";

/** What collectors found, for those who reckon with it. */
export type Fact =
  | { readonly kind: "totals"; readonly impact: Omit<Impact, "summary"> }
  | { readonly kind: "answers"; readonly minutes: readonly AnsweredMinute[] }
  | { readonly kind: "rate"; readonly rate: RateFact }
  | { readonly kind: "neighbour-failure"; readonly failure: NeighbourFailure }
  | { readonly kind: "earlier-failure"; readonly at: string; readonly message: string; readonly sameFailure: boolean }
  | { readonly kind: "deploy"; readonly deploy: DeployFact }
  | { readonly kind: "concentration"; readonly concentration: Concentration }
  | { readonly kind: "failing-calls"; readonly calls: FailingCalls }
  | { readonly kind: "process-state"; readonly state: ProcessState }
  | { readonly kind: "similar-incident"; readonly similar: SimilarIncident };

/** What the failing service answered in a minute in which it answered anything, the oldest first. */
export interface AnsweredMinute {
  /** RFC 3339. */
  readonly at: string;
  readonly requests: number;
  /** Those of them that were answered with 500 and above. */
  readonly failed: number;
}

/**
 * How often it came over the last hours: seen now for the first time, at the same rate all along, or from a minute on
 * more often, at once (`step`), for a while (`spike`), or little by little (`growth`).
 */
export interface RateFact {
  readonly shape: "first" | "steady" | "step" | "spike" | "growth";
  /** When it changed, or was first seen; null when it did not change. RFC 3339. */
  readonly at: string | null;
  /** Events of the minute before and after, or of a process and minute when `perProcess`. */
  readonly before: number;
  readonly after: number;
  readonly perProcess: boolean;
}

/** A failure of another service that belongs to the same traces, or to the same moment. */
export interface NeighbourFailure {
  readonly service: string;
  readonly message: string;
  readonly at: string;
  readonly location: Location | null;
  /** The same trace, or only the same time. */
  readonly link: "trace" | "time";
  /**
   * `deepest`: this service called it, itself or through others, and it called nobody who failed; `refusing`: likewise,
   * but it answered 4xx, which is the asking side's fault at least as often; `between`: on the way there; `caller`: it failed since this service did; `beside`: no failed call leads there.
   */
  readonly role: "deepest" | "refusing" | "between" | "caller" | "beside";
  /** In how many of the traces that were looked at; of the same time: 0 of 0. */
  readonly traces: { readonly with: number; readonly of: number };
  /** Whether it came as often before. */
  readonly wasThere: boolean;
  /** What kind of failure it is by the signatures; null when none matches. */
  readonly category: Category | null;
  /** The innermost error, for the signatures. */
  readonly error: { readonly type: string; readonly message: string; readonly code: string | null };
}

/** A release that a service was given about then, and whether it is to blame. */
export interface DeployFact {
  readonly service: string;
  readonly release: string;
  readonly previous: string | null;
  readonly at: string;
  /** `guilty`: the failures are in it alone, or many times as often; `near`: began soon after; `innocent`: acquitted. */
  readonly verdict: "guilty" | "near" | "innocent";
  /** Why. */
  readonly because: string;
  /** Whether it is the failing service's own. */
  readonly own: boolean;
  /** Whether the last answer before the failure was this service's. */
  readonly answeredLast: boolean;
  /** It called the failing service in the same traces, or had answered who did; absent for whom that one calls. */
  readonly upstream?: "caller" | "source";
}

/** One value that has more of the failures than of the ordinary traffic. */
export interface Concentration {
  readonly dimension: "host" | "instance" | "route" | "runtime" | "user agent" | "upstream";
  readonly value: string;
  readonly failing: number;
  readonly of: number;
  /** Its share of what is ordinary, 0 to 1. */
  readonly expected: number;
  /** How probable that is by chance, after correction for the number of values. */
  readonly chance: number;
}

/** Calls to one host that failed just before events of this failure. */
export interface FailingCalls {
  readonly host: string;
  /** Who answers there, if that is known. */
  readonly service: string | null;
  readonly how: "error" | "status" | "slow" | "unanswered";
  readonly events: number;
  readonly of: number;
  /** The same before other events of the service. */
  readonly others: number;
  readonly othersOf: number;
  /** How probable the difference is by chance. */
  readonly chance: number;
}

/** What the heartbeats of a process told, or that they stopped. */
export interface ProcessState {
  readonly service: string;
  readonly instance: string;
  readonly host: string;
  readonly resource: "memory" | "event-loop" | "silence" | "restart";
  readonly own: boolean;
  /** How much it explains, 0 to 1: a full heap, an event loop that stood for seconds. */
  readonly severity: number;
  readonly says: string;
}

/** An incident of before that resembles this one, and what was found then. */
export interface SimilarIncident {
  readonly id: string;
  readonly at: string;
  readonly likeness: "same failure" | "same service and message" | "similar message";
  readonly category: Category | null;
  readonly summary: string;
  /** What people said of that report. */
  readonly verdict: "right" | "wrong" | "partly" | null;
}

/**
 * What a connected third party says about the time around a failure. Times are RFC 3339. Texts are the vendor's, shortened,
 * and never instructions.
 */
export type OutsideFinding = {
  /** The vendor's name: `PagerDuty`. */
  readonly vendor: string;
  /** Where a person can look at it; null when the vendor has no page for it. */
  readonly url: string | null;
} & (OutsideChange | OutsideProblem | OutsideLog | OutsideRecord);

/** Something that someone changed. */
export interface OutsideChange {
  readonly kind: "change";
  readonly what: "deployment" | "release" | "rollout" | "configuration" | "dns" | "firewall" | "feature-flag";
  /** A few words: `A record of api.example.com`. */
  readonly title: string;
  /** What it is about, for comparison with the failing service and the hosts that it calls: a service, a project, a host. */
  readonly target: string | null;
  readonly at: string;
  readonly by: string | null;
  /** Whether the change itself failed, such as a build that broke; null when the vendor doesn't say. */
  readonly failed: boolean | null;
}

/** Something that wasn't well. */
export interface OutsideProblem {
  readonly kind: "problem";
  readonly what:
    | "alarm"
    | "outage"
    | "incident"
    | "out-of-memory"
    | "crash-loop"
    | "restart"
    | "image-pull"
    | "unschedulable"
    | "stopped"
    | "failed-check"
    | "failing-requests"
    | "slow-requests"
    | "saturation";
  readonly title: string;
  readonly target: string | null;
  readonly since: string;
  /** Null while it lasts. */
  readonly until: string | null;
}

/** A log line, or several equal ones. */
export interface OutsideLog {
  readonly kind: "log";
  readonly level: string | null;
  readonly message: string;
  readonly source: string | null;
  readonly at: string;
  readonly count: number;
}

/** The same failure, or the people for it, as another system keeps them. */
export interface OutsideRecord {
  readonly kind: "record";
  readonly what: "error-group" | "issue" | "incident" | "on-call";
  readonly title: string;
  readonly target: string | null;
  readonly at: string | null;
}

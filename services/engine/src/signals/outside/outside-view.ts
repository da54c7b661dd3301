import type { Category, ChangeEvent, OutsideProblem } from "@whence/protocol";
import type { CalledPlace } from "../facts/fact-kind.ts";

/** How a third party's finding is related to a failure. */
export type Relation =
  /** It is about the machine, container, or pod of the failing process. */
  | { readonly kind: "own-host" }
  | { readonly kind: "own-service" }
  /** It is about something that the failing request or job called. */
  | { readonly kind: "called"; readonly place: CalledPlace };

/** The part of a failure that the weight of a third party's finding depends on. */
export interface OutsideView {
  /** The category of the error's own words and codes. */
  readonly said: Category;
  /** Whether it was only announced in words, without an error. */
  readonly isAnnounced: boolean;
  /** Whether heartbeats show that one of the service's own processes stopped, restarted, or ran short of memory. */
  readonly hasStopped: boolean;
  /** The failing release; empty when unknown. */
  readonly release: string;
  /** The releases of the failing service whose start was seen in telemetry. */
  readonly ownReleases: readonly { readonly release: string; readonly at: string; readonly isRuledOut: boolean }[];
  readonly weights: OutsideWeights;
}

/** The weights of findings, from 0 to 1, by name. */
export interface OutsideWeights {
  readonly worth: Readonly<Record<OutsideWeight, number>>;
  readonly factors: Readonly<Record<OutsideFactor, number>>;
  /** Factors for a failed change. */
  readonly failed: Readonly<Record<ChangeEvent["what"], number>>;
  /** Factors for a problem of something whose calls failed. */
  readonly calledProblem: Readonly<Record<OutsideProblem["what"], number>>;
  /** Factors for a problem of the failing service itself, when the failure was only announced in words. */
  readonly announcedProblem: Readonly<Record<OutsideProblem["what"], number>>;
}
export type OutsideWeight =
  | "ownDeployment"
  | "ownDeploymentOfRelease"
  | "ownSetting"
  | "ownFirewall"
  | "calledDeployment"
  | "calledDeploymentOfAnswer"
  | "calledName"
  | "calledNameAnswered"
  | "ownProcess"
  | "ownMachine"
  | "calledLog";
export type OutsideFactor = "unrelated" | "sibling" | "ruledOut";

/** The weight of a finding, and the category that it suggests; null when it suggests none. */
export interface Weighed {
  readonly weight: number;
  readonly category: Category | null;
}

/** The weight of a finding that says nothing. */
export const weightless: Weighed = { weight: 0, category: null };

/** Categories of a failure to reach something. */
const unreached: ReadonlySet<Category> = new Set<Category>([
  ...(["network-unreachable", "timeout", "auth", "dependency-outage"] as const),
]);

/** Returns whether a failure is a failure to reach something. */
export function isUnreached(said: Category): boolean {
  return unreached.has(said);
}

import type { Category, ChangeEvent, OutsideProblem } from "@whence/protocol";
import type { CalledPlace } from "../facts/fact-kind.ts";

/** How a third party's finding belongs to a failure. */
export type Relation =
  /** It is about the machine, container, or pod of the failing process. */
  | { readonly kind: "own-host" }
  | { readonly kind: "own-service" }
  /** It is about something that the failing request or job called. */
  | { readonly kind: "called"; readonly place: CalledPlace };

/** As much of a failure as the weight of a third party's finding depends on. */
export interface OutsideView {
  /** The category that the error's own words and codes speak for. */
  readonly said: Category;
  /** Whether it is known from words alone, without an error. */
  readonly isAnnounced: boolean;
  /** Whether heartbeats show that an own process stopped, restarted, or ran short of memory. */
  readonly hasStopped: boolean;
  /** The release that failed; empty when unknown. */
  readonly release: string;
  /** The releases of the failing service that telemetry saw begin. */
  readonly ownReleases: readonly { readonly release: string; readonly at: string; readonly isRuledOut: boolean }[];
  readonly weights: OutsideWeights;
}

/** What findings are worth, 0 to 1, by name. */
export interface OutsideWeights {
  readonly worth: Readonly<Record<OutsideWeight, number>>;
  readonly factors: Readonly<Record<OutsideFactor, number>>;
  /** Factors for a change that failed. */
  readonly failed: Readonly<Record<ChangeEvent["what"], number>>;
  /** Of a problem of something whose calls failed. */
  readonly calledProblem: Readonly<Record<OutsideProblem["what"], number>>;
  /** Of a problem of the failing service itself, when it is known from words alone that it fails. */
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

/** What a finding is worth, and the category that it speaks for; null for none. */
export interface Weighed {
  readonly weight: number;
  readonly category: Category | null;
}

/** Of a finding that says nothing. */
export const weightless: Weighed = { weight: 0, category: null };

/** Categories of a failure to reach something. */
const unreached: ReadonlySet<Category> = new Set<Category>([
  ...(["network-unreachable", "timeout", "auth", "dependency-outage"] as const),
]);

/** Whether a failure is one to reach something. */
export function isUnreached(said: Category): boolean {
  return unreached.has(said);
}

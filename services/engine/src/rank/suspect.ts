import type { Category } from "@whence/protocol";
import type { Observation } from "../findings/observation.ts";
import type { Subject } from "../signals/subject.ts";

/** A service, release, or dependency that telemetry makes suspect. */
export interface Suspect {
  readonly subject: Subject;
  /** Null when no service is known to answer there. */
  readonly service: string | null;
  readonly category: Category;
  readonly weight: number;
  /** The reasons that the weight is computed from. */
  readonly reasons: readonly SuspectReason[];
  /** The strongest of each kind first. */
  readonly observations: readonly Observation[];
}

/** A reason to suspect something: its source, because only one reason per source counts, and its weight. */
export interface SuspectReason {
  readonly source: string;
  readonly weight: number;
}

/** The source of reasons from the event's own calls. */
export const callSource = "call";

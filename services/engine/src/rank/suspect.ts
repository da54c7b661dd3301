import type { Category } from "@whence/protocol";
import type { Observation } from "../findings/observation.ts";
import type { Subject } from "../signals/subject.ts";

/** A service, release or dependency that telemetry speaks against. */
export interface Suspect {
  readonly subject: Subject;
  /** Null when no service is known to answer there. */
  readonly service: string | null;
  readonly category: Category;
  readonly weight: number;
  /** What the weight is made of. */
  readonly reasons: readonly SuspectReason[];
  /** The strongest of each kind first. */
  readonly observations: readonly Observation[];
}

/** A reason to suspect something: where it is known from, since of several from there one counts, and what it is worth. */
export interface SuspectReason {
  readonly source: string;
  readonly weight: number;
}

/** The source of what the event's own calls say. */
export const callSource = "call";

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
  /** The strongest of each kind first. */
  readonly observations: readonly Observation[];
}

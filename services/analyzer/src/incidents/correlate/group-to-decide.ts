import type { InstructedThresholds } from "@whence/protocol";
import type { EventStore, FailureScope, Scoped } from "@whence/storage";
import type { Logger } from "../../logger.ts";
import type { FailureGroup } from "../decide/failure-group.ts";

/** A failure that may belong to an incident opened by another failure. */
export interface GroupToDecide {
  readonly scopeId: string;
  readonly group: FailureGroup;
  readonly thresholds: InstructedThresholds;
  readonly now: Date;
}

/** Sources of a decision's context. */
export interface DecisionSources {
  readonly control: Scoped<FailureScope>;
  readonly events: EventStore;
  readonly logger: Logger;
}

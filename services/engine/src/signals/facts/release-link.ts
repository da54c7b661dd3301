import type { Location } from "@whence/protocol";
import type { ChangeEffect } from "../change-effect.ts";
import type { ReleaseComparison } from "./comparison.ts";
import type { DeployFact } from "./deploy-fact.ts";
import type { ReleaseChange } from "./release-change.ts";

/** What a release changed, with its place in the form shown to readers. */
export interface ShownChange {
  readonly effect: ChangeEffect;
  readonly place: Location;
  readonly commit: ReleaseChange["commit"];
}

/** The arguments of the words for a release. */
export interface ReleaseLink {
  readonly deploy: DeployFact;
  /** The change that bears on the failure, or the whole change; null when unknown. */
  readonly change: ShownChange | null;
  /** What new migrations of the release rename or drop; empty where nothing is known of any. */
  readonly schema: ReleaseComparison["schema"];
}

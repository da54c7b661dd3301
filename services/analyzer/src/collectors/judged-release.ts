import type { DeployFact } from "@whence/engine";
import type { FailureTotals } from "@whence/storage";
import type { KnownRelease } from "../releases/known-releases.ts";

/** A judged release, with the basis of the judgment. */
export interface JudgedRelease {
  readonly deploy: DeployFact;
  readonly data: { readonly releases: readonly KnownRelease[]; readonly totals: FailureTotals | null };
}

import type { ReleaseReport, ReportedRelease } from "@whence/protocol";
import type { ServiceRelease } from "./source-db.ts";

/** The releases that a scope reported as live. */
export interface ReleaseRepository {
  /**
   * Stores that a release went live now. Reported again, it keeps the time of the first report, and gets the new commit
   * and URL. Of the scope, only the `keptMax` releases that went live last are kept.
   */
  report(release: ReleaseReport, now: Date, keptMax: number): Promise<ReportedRelease>;
  /** Those of an environment, or all; the last to go live first. */
  list(env?: string): Promise<readonly ReportedRelease[]>;
  /** The commit that a release of one of these names was built from, in whichever environment it is live; null when no report says. */
  commitOf(service: string, names: readonly string[]): Promise<string | null>;
  /** Removes the reports of a release in all environments. */
  remove(service: string, release: string): Promise<boolean>;
}

/** Reported releases of all scopes, for what removes old ones. */
export interface ReleaseDirectory {
  /** The releases that went live before, the oldest first. */
  liveBefore(moment: Date): Promise<readonly ServiceRelease[]>;
}

import type { ReleaseReport, ReportedRelease } from "@whence/protocol";
import type { ServiceRelease } from "../sources/source-db.ts";
import type { DeploymentDirectory, DeploymentRepository } from "./deployment-db.ts";
import type { ReleaseCommitRepository } from "./release-commit-db.ts";

/** The releases that a scope reported, their commits, and those that its alert sources announced. */
export interface ReleaseScope {
  readonly releases: ReleaseRepository;
  readonly releaseCommits: ReleaseCommitRepository;
  readonly deployments: DeploymentRepository;
}

/** The releases of all scopes. */
export interface ReleaseStore {
  readonly reportedReleases: ReleaseDirectory;
  readonly deployments: DeploymentDirectory;
}

/** A report, and the key or the alert source that made it. */
export interface NewReleaseReport extends ReleaseReport {
  readonly reportedBy: string;
}

/** The releases that a scope reported as live. */
export interface ReleaseRepository {
  /**
   * Stores that a release went live now. Reported again with no other release of the service reported between, it keeps
   * the time of the first report, and gets the new commit, URL, and reporter; after another one, it went live again. Of the
   * scope, only the `keptMax` that went live last are kept.
   */
  report(release: NewReleaseReport, now: Date, keptMax: number): Promise<ReportedRelease>;
  /** Those of an environment, or all; the last to go live first. */
  list(env?: string): Promise<readonly ReportedRelease[]>;
  /** The commit that a release of one of these names was built from, in whichever environment it is live; null when no report says. */
  commitOf(service: string, names: readonly string[]): Promise<string | null>;
  /** Removes the reports of a release in all environments, and its commits. */
  remove(service: string, release: string): Promise<boolean>;
}

/** Reported releases of all scopes, for what removes old ones. */
export interface ReleaseDirectory {
  /** The releases that were last reported as live, or given commits, before the moment; the oldest first. */
  liveBefore(moment: Date): Promise<readonly ServiceRelease[]>;
}

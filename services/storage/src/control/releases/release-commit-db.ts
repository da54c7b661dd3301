import type { SourceCommit } from "@whence/protocol";

/** A commit of a release, and the files that it changed. */
export interface ReleaseCommit extends SourceCommit {
  /** Relative to the root of the repository; null when they aren't known, of every commit of the release. */
  readonly paths: readonly string[] | null;
}

/** The latest release that has commits. */
export interface ReleaseWithCommits {
  readonly release: string;
  readonly setAt: string;
  /** The id of its newest commit. */
  readonly commit: string;
}

/** What build tools say a scope's releases consist of. */
export interface ReleaseCommitRepository {
  /**
   * Stores which services have a release. Of the scope, only the `keptMax` are kept that were announced last, or whose
   * commits were set last.
   */
  announce(release: string, services: readonly string[], now: Date, keptMax: number): Promise<void>;
  /** Returns the services that have a release. */
  services(release: string): Promise<readonly string[]>;
  /** Stores the commits of a release, newest first, in each service that has it. Returns these services. */
  set(release: string, commits: readonly ReleaseCommit[], now: Date): Promise<readonly string[]>;
  /** Returns the commits of a release by one of its names, newest first; empty when none were set. */
  of(service: string, names: readonly string[]): Promise<readonly ReleaseCommit[]>;
  /** Returns the release whose commits were set last, among the others of the services that have a release. */
  before(release: string): Promise<ReleaseWithCommits | null>;
}

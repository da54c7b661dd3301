import type { ChangeCommit, Hunk } from "@whence/engine";
import type { PlaceFailed } from "../sources/source-provider.ts";

/** Two releases of a service, as its processes report them. */
export interface ReleasePair {
  readonly scopeId: string;
  readonly service: string;
  /** The older release. */
  readonly from: string;
  readonly to: string;
}

/** A file that differs, with the hunks that were read. */
export interface ChangedFile {
  /** The path in the newer release, below the service's folder. */
  readonly path: string;
  readonly hunks: readonly Hunk[];
}

/** The changes between two releases. */
export interface ReleaseChanges {
  /** Where it was found, in words: `git 1.4.1..1.4.2`, `uploaded for 1.4.2`. */
  readonly version: string;
  /** Newest first; empty where they aren't known. */
  readonly commits: readonly ChangeCommit[];
  readonly files: readonly ChangedFile[];
  /** The number of changed files other than tests, including those whose hunks weren't read; null where it isn't known. */
  readonly filesChanged: number | null;
  /** The paths in the repository that the commits changed, where their lines aren't known. */
  readonly committedPaths?: readonly string[];
  /** Whether `files` contains every changed line. */
  readonly isWhole: boolean;
  /** Returns the commit of a hunk; null where it isn't known. Absent when no commit is known. */
  readonly commitOf?: (path: string, hunk: Hunk) => ChangeCommit | null;
  /** The commit that the newer release was built from. */
  readonly builtFrom: ChangeCommit | null;
}

/**
 * A source of the changes between two releases. To add one, such as a code host: implement `between` within
 * `changeLimits`, convert its patches to files with `filesOfPatch`, and add it where `firstChanges` is called.
 */
export interface ChangeProvider {
  /** Null when it doesn't know both releases, or failed, which it reports. */
  between(pair: ReleasePair, signal: AbortSignal, failed: PlaceFailed): Promise<ReleaseChanges | null>;
}

/** Queries the providers in order, and uses the first that knows both releases. */
export function firstChanges(providers: readonly ChangeProvider[]): ChangeProvider {
  return {
    async between(pair, signal, failed) {
      for (const provider of providers) {
        const changes = await provider.between(pair, signal, failed);
        if (changes) return changes;
      }
      return null;
    },
  };
}

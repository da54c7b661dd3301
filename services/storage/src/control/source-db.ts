import type { SourceBundle, SourceCommit, SourceFileEntry } from "@whence/protocol";

/** The source files that a scope uploaded, release by release. Equal texts are stored once in a scope, and shared with no other. */
export interface SourceRepository {
  /** Those of the texts (SHA-256, hex) that aren't stored. What is stored stays for at least a day after this. */
  missing(sha256s: readonly string[], now: Date): Promise<readonly string[]>;
  /** Stores texts; false, and nothing is stored, when the scope's sources would take more than `bytesMax` compressed. */
  addContents(texts: readonly string[], bytesMax: number, now: Date): Promise<boolean>;
  /**
   * Stores or replaces a release, unless some of its texts are missing, which it returns. Of one service only the
   * `keptMax` releases uploaded last are kept.
   */
  put(bundle: NewSourceBundle, keptMax: number): Promise<readonly string[]>;
  /** Newest upload first. */
  list(): Promise<readonly SourceBundle[]>;
  /** The files of a release; null when it wasn't uploaded. */
  files(service: string, release: string): Promise<StoredSources | null>;
  /** A text by its digest; null when it is gone. */
  content(sha256: string): Promise<string | null>;
  remove(service: string, release: string): Promise<boolean>;
}

export interface NewSourceBundle {
  readonly service: string;
  readonly release: string;
  readonly commit: SourceCommit | null;
  readonly files: readonly SourceFileEntry[];
  /** The key that uploads it. */
  readonly keyId: string;
  readonly now: Date;
}

export interface StoredSources {
  readonly commit: SourceCommit | null;
  /** RFC 3339. */
  readonly uploadedAt: string;
  readonly files: readonly SourceFileEntry[];
}

/** Uploaded releases of all scopes, for what removes old ones. */
export interface SourceDirectory {
  /** The releases that were uploaded before, the oldest first. */
  uploadedBefore(moment: Date): Promise<readonly ServiceRelease[]>;
  /** Removes texts that no release has and no upload asked for since the moment. Returns how many. */
  removeUnused(notAskedSince: Date): Promise<number>;
}

/** A release of a service, and whose it is. */
export interface ServiceRelease {
  readonly scopeId: string;
  readonly service: string;
  readonly release: string;
}

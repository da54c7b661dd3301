import type { SourceBundle, SourceCommit, SourceFileEntry } from "@whence/protocol";
import type { NamedWords } from "./source-words.ts";

/** The source files of a scope. */
export interface SourceScope {
  readonly sources: SourceRepository;
}

/** The source files that processes of a scope send. */
export interface SentSourceScope {
  readonly sentSources: SentSourceRepository;
}

/** The source files of all scopes. */
export interface SourceStore {
  readonly sourceBundles: SourceDirectory;
}

/** The source files that a scope uploaded, release by release. Equal texts are stored once in a scope, and shared with no other. */
export interface SourceRepository {
  /** Stores texts; false, and nothing is stored, when the scope's sources would take more than `bytesMax` of the disk. */
  addContents(texts: readonly string[], bytesMax: number, now: Date): Promise<boolean>;
  /**
   * Stores or replaces the upload of a release, unless some of its texts are missing or the scope's sources have no
   * room for it. Its stored texts are kept for at least another day. Releases with the same list of files share one
   * copy of it.
   */
  put(bundle: NewSourceBundle, room: SourceRoom): Promise<PutSources>;
  /**
   * Adds files to the upload of a release, whose commit stays, or stores it, as {@link SourceRepository.put} does. A
   * file with the path of another replaces it. Uploads at the same time lose nothing of each other.
   */
  add(bundle: Omit<NewSourceBundle, "commit">, room: SourceRoom & { readonly filesMax: number }): Promise<AddSources>;
  /** Uploaded releases, and those that processes sent files of, the newest first. */
  list(): Promise<readonly SourceBundle[]>;
  /** The uploaded files of a release; null when it wasn't uploaded. */
  files(service: string, release: string): Promise<StoredSources | null>;
  /** Those of some texts, by their digests, that contain one of some words: names as code spells them. */
  naming(sha256s: Iterable<string>, words: readonly string[]): Promise<ReadonlyMap<string, NamedWords>>;
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

/** What may be stored for a scope. */
export interface SourceRoom {
  /** Releases of one service: those uploaded last are kept. */
  readonly releasesPerServiceMax: number;
  /** Of the disk, with all rows: texts, lists of files, and releases. */
  readonly bytesMax: number;
}

export type PutSources =
  | { readonly outcome: "stored" }
  /** The texts (SHA-256, hex) to add first. */
  | { readonly outcome: "missing"; readonly sha256s: readonly string[] }
  | { readonly outcome: "no-room" };

export type AddSources = PutSources | { readonly outcome: "too-many-files" };

export interface StoredSources {
  readonly commit: SourceCommit | null;
  /** RFC 3339. */
  readonly uploadedAt: string;
  readonly files: readonly SourceFileEntry[];
}

/** A release of a service of one scope. */
export interface ReleaseName {
  readonly service: string;
  readonly release: string;
}

/**
 * The source files that processes send because an investigation lacked them, release by release. They are stored like
 * uploaded ones, apart from them, and share their texts.
 */
export interface SentSourceRepository {
  /** Notes that the investigation of an incident lacks files, unless it asked three times already. */
  want(wanted: WantedSources): Promise<void>;
  /** Notes that the investigation of a failure will lack files, unless some code of the release is stored. */
  wantFirst(wanted: Omit<WantedSources, "incidentId">): Promise<void>;
  /** The paths that were asked for since then, in the form of the stacks that name them. */
  wanted(of: ReleaseName, since: Date): Promise<readonly string[]>;
  /**
   * Adds files to a release that investigations have lacked files of since the moment, and has their reports refined.
   * A file replaces an earlier one with its path. Returns how many are stored: none when no files are wanted, or the
   * scope's sources have no room.
   */
  add(sent: SentSources, room: SourceRoom): Promise<number>;
  /** The files that processes of the release sent; null when they sent none. */
  files(of: ReleaseName): Promise<StoredSources | null>;
}

/** Files that an investigation lacks. */
export interface WantedSources extends ReleaseName {
  readonly incidentId: string;
  /** As stacks name them. */
  readonly paths: readonly string[];
  readonly now: Date;
}

/** Files that a process sent. */
export interface SentSources extends ReleaseName {
  readonly files: readonly SentSourceFile[];
  /** The key that sent them. */
  readonly keyId: string;
  /** Files last wanted before this are no longer wanted. */
  readonly wantedSince: Date;
  readonly now: Date;
}

export interface SentSourceFile {
  /** Below the program's root. */
  readonly path: string;
  readonly text: string;
}

/** Uploaded releases of all scopes, for what removes old ones. */
export interface SourceDirectory {
  /** The releases that were uploaded before, the oldest first. */
  uploadedBefore(moment: Date): Promise<readonly ServiceRelease[]>;
  /**
   * Removes texts that no release has and no upload has asked for since the given time, and returns their number. Also
   * forgets files that investigations lacked before that time, parts of bundles that no upload has named since then,
   * and the places of files with a debug ID whose release is gone.
   */
  removeUnused(notAskedSince: Date): Promise<number>;
}

/** A release of a service, and its scope. */
export interface ServiceRelease {
  readonly scopeId: string;
  readonly service: string;
  readonly release: string;
}

/** Where the files of a release came from: an upload, or its own processes. */
export type SourceOrigin = "uploaded" | "sent";

/** The files of a release: their paths and the digests of their texts. Releases with the same files share one. */
export interface SourceManifestTable {
  scope_id: string;
  /** Of the list in its one form, uncompressed. */
  sha256: string;
  files: number;
  /** What the row takes of the disk. */
  bytes: number;
  /** What the texts of its files take, those that it shares with other lists too. */
  content_bytes: number;
  /** Compressed. */
  text: Uint8Array;
}

/** The files of a release of a service, from one origin. */
export interface SourceBundleTable {
  scope_id: string;
  service: string;
  release: string;
  /** `uploaded`, or `sent` by its processes. */
  origin: SourceOrigin;
  uploaded_at: string;
  /** The commit that it was built from; null when that wasn't said. */
  commit_json: string | null;
  /** The digest of its list of files. */
  manifest: string;
  /** What the row takes of the disk. */
  bytes: number;
  /** The key that uploaded it. */
  key_id: string;
}

/** The content of one or more files in the scope's releases. */
export interface SourceContentTable {
  scope_id: string;
  sha256: string;
  /** What the row takes of the disk. */
  bytes: number;
  /** When an upload last asked for it: what no manifest has is removed a while after that. */
  asked_at: string;
  /** How many manifests have it. */
  manifests: number;
  /** The words that it contains and defines, compressed. */
  words: Uint8Array;
  /** Compressed. */
  text: Uint8Array;
}

/** The files of a release that investigations lack. */
export interface WantedSourceTable {
  scope_id: string;
  service: string;
  release: string;
  /** A list of the paths in stacks. */
  paths_json: string;
  /** How often each incident asked, by its id. */
  rounds_json: string;
  asked_at: string;
}

/** An uploaded release of a service. */
export interface SourceBundleTable {
  scope_id: string;
  service: string;
  release: string;
  uploaded_at: string;
  /** The commit that it was built from; null when that wasn't said. */
  commit_json: string | null;
  files: number;
  /** What the texts of its files take, compressed; those that it shares with other releases too. */
  bytes: number;
  /** The key that uploaded it. */
  key_id: string;
}

/** One file of an uploaded release. */
export interface SourceFileTable {
  scope_id: string;
  service: string;
  release: string;
  path: string;
  sha256: string;
}

/** A text that files of the scope's releases have. */
export interface SourceContentTable {
  scope_id: string;
  sha256: string;
  /** Compressed. */
  text: Uint8Array;
  /** What it takes, compressed. */
  bytes: number;
  /** When an upload last asked for it: what no bundle has goes a while after that. */
  asked_at: string;
}

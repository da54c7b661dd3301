/** A part of a bundle that is being uploaded. */
export interface ArtifactChunkTable {
  scope_id: string;
  /** Hex. */
  sha1: string;
  /** What the row takes of the disk. */
  bytes: number;
  /** When an upload last named it: parts that no bundle came of are removed a while after that. */
  asked_at: string;
  data: Uint8Array;
}

/** Where the built file with a debug ID is. */
export interface DebugFileTable {
  scope_id: string;
  service: string;
  debug_id: string;
  /** The stored release that has it. */
  release: string;
  /** Of the built file, in the release. */
  path: string;
}

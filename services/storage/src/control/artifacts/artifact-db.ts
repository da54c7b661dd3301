/** The built files of a scope that are uploaded as bundles, in parts. */
export interface ArtifactScope {
  readonly artifacts: ArtifactRepository;
}

/** A part of a bundle. */
export interface ArtifactChunk {
  /** Of its data, in hex. */
  readonly sha1: string;
  readonly data: Uint8Array;
}

/** Where a built file is among the sources of a service. */
export interface BuiltFile {
  readonly debugId: string;
  readonly release: string;
  readonly path: string;
}

/** Parts of bundles, and which release has the built file with a debug ID. */
export interface ArtifactRepository {
  /** Stores a part; false when the scope's sources would take more than `bytesMax` of the disk. */
  addChunk(chunk: ArtifactChunk, bytesMax: number, now: Date): Promise<boolean>;
  /** Returns the parts that aren't stored. The others stay for at least a day after this. */
  missingChunks(sha1s: readonly string[], now: Date): Promise<readonly string[]>;
  /** Null when it isn't stored. */
  chunk(sha1: string): Promise<Uint8Array | null>;
  removeChunks(sha1s: readonly string[]): Promise<void>;
  /** Notes where built files are; later files replace earlier ones with their debug ID. */
  putFiles(service: string, files: readonly BuiltFile[]): Promise<void>;
  /** Returns those of some debug IDs whose files are stored. */
  files(service: string, debugIds: readonly string[]): Promise<readonly BuiltFile[]>;
}

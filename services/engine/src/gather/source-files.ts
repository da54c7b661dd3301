/** A file from its provider, or the reason why it has no text. */
export type SourceFile =
  | {
      readonly outcome: "read";
      readonly text: string;
      /** The version of the file, in words for people: `git 1.4.2`, `on disk`. */
      readonly version: string;
    }
  | { readonly outcome: "absent" | "too-large" | "not-text" };

/**
 * Read-only access to the source code of one service at one release. Paths are relative to its root, with `/` between
 * folders.
 */
export interface SourceFiles {
  /** Returns the paths of the service's own code, without installed packages. */
  paths(): Promise<readonly string[]>;
  /** Reads a file of at most `bytesMax` bytes: one of `paths`, or a file of an installed package. */
  read(path: string, bytesMax: number): Promise<SourceFile>;
  /** Returns the paths of files that contain one of the words. Absent where a search would be slow. */
  search?(words: readonly string[]): Promise<readonly string[]>;
  /**
   * Returns the path of the source map with a file's debug id; null when there isn't one. Absent where built files
   * aren't kept.
   */
  mapWithId?(debugId: string, path: string): Promise<string | null>;
}

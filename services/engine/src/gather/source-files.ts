/** A file as its provider has it, or why there is no text of it. */
export type SourceFile =
  | {
      readonly outcome: "read";
      readonly text: string;
      /** Which version it is, in words for people: `git 1.4.2`, `on disk`. */
      readonly version: string;
    }
  | { readonly outcome: "absent" | "too-large" | "not-text" };

/** The source code of one service at one release. Read only. Paths are relative to its root, with `/` between folders. */
export interface SourceFiles {
  /** The paths of the service's own code. Installed packages are not among them. */
  paths(): Promise<readonly string[]>;
  /** A file of at most `bytesMax` bytes: one of `paths`, or of an installed package. */
  read(path: string, bytesMax: number): Promise<SourceFile>;
  /** The paths of files that contain one of the words. Absent where a search would be slow. */
  search?(words: readonly string[]): Promise<readonly string[]>;
  /** The path of the source map with a file's debug id; null when there is none. Absent where built files aren't kept. */
  mapWithId?(debugId: string, path: string): Promise<string | null>;
}

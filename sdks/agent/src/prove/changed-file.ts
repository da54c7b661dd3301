import type { Hunk } from "@whence/protocol";

/** A file of the program that a change touched. */
export interface ChangedFile {
  /** Below the folder of the repository, with `/` between folders. */
  readonly path: string;
  /** Its text in the tree; null where it isn't there. */
  readonly now: string | null;
  /** Its text before the change; null where it wasn't there. */
  readonly before: string | null;
  /** Where it was before, if the change moved it. */
  readonly from?: string;
  /** What undoes the change in the text of the tree; none where only the whole file can be undone. */
  readonly hunks: readonly Hunk[];
}

/** A part of a change that can be undone alone: lines, or a whole file that was added, removed, moved, or rewritten. */
export interface ChangePart {
  readonly file: ChangedFile;
  readonly hunk: Hunk | null;
}

/** A line of a test file, by its path below the folder of the repository. */
export interface TestLine {
  readonly path: string;
  readonly line: number;
}

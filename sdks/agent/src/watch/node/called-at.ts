/** A call in a watched process. Lines are 1-based. */
export interface CalledAt {
  /** An absolute path. */
  readonly file: string;
  readonly line: number;
  readonly function: string | null;
  readonly starts: number | null;
}

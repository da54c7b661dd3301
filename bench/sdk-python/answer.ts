/** What a question's answer shows. */
export interface Answer {
  readonly title: string;
  readonly headings: readonly string[];
  readonly rows: readonly (readonly string[])[];
}

/** How much is measured. */
export interface Effort {
  readonly rounds: number;
  /** The duration of each load on a server. */
  readonly seconds: number;
  /** The number of errors that a server logs while its backend is down. */
  readonly errors: number;
  /** The folder for temporary files. */
  readonly folder: string;
}

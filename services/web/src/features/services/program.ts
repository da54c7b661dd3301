/** What the first-run page fills into its instructions. */
export interface SnippetValues {
  readonly key: string;
  readonly service: string;
  /** The URL of the service that shows the page. */
  readonly endpoint: string;
}

/** A kind of program that the first-run page has instructions for. */
export interface Program {
  readonly name: string;
  /** The ending of its files, which its code is highlighted by. */
  readonly ending: string;
  /** Returns the command that installs the client, which the same service provides. */
  readonly install: (values: SnippetValues) => string;
  /** The command that starts it. */
  readonly start: string;
  /** Returns the code to add; null where none is needed, as the client loads before the program. */
  readonly code: ((values: SnippetValues) => string) | null;
}

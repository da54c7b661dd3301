/** What the lines around an error say about it: what printed it, and whether it was printed as an error at all. */
export interface LogContext {
  /** Whether it is inside a logged value: client input, a quoted field, or the message of another error. */
  readonly inValue: boolean;
  /** Whether the frames read as its calls may have been printed by its own message. */
  readonly mayQuoteStack: boolean;
  /** Whether it is a line of a test runner's summary, which only names a test and its error. */
  readonly inSummary: boolean;
  /** Whether a logger wrote it, which means that something caught it. */
  readonly logged: boolean;
  /** Whether it is the last thing that the program printed. */
  readonly endsText: boolean;
  /** When it was printed, RFC 3339; null when unknown. */
  readonly at: string | null;
}

/** The context of an error whose surroundings are unknown. */
export const noLogContext: LogContext = {
  inValue: false,
  mayQuoteStack: false,
  inSummary: false,
  logged: false,
  endsText: false,
  at: null,
};

/** What the lines around an error say about it: who printed it, and whether it was printed as an error at all. */
export interface LogContext {
  /** Whether it stands inside a value that was logged: what a client sent, a quoted field, the message of another error. */
  readonly inValue: boolean;
  /** Whether calls were read that its own message may have printed. */
  readonly mayQuoteStack: boolean;
  /** Whether a logger wrote it: something caught it. */
  readonly logged: boolean;
  /** Whether the program said nothing after it. */
  readonly endsText: boolean;
  /** When it was printed, RFC 3339; null when that was not said. */
  readonly at: string | null;
}

/** The context of an error about whose surroundings nothing is known. */
export const noLogContext: LogContext = {
  ...{ inValue: false, mayQuoteStack: false, logged: false, endsText: false, at: null },
};

/** The event that reported an error. */
export interface Report {
  readonly eventId: string;
  /** Whether a log record reported it. */
  readonly isLogged: boolean;
  /** Whether it was printed without a stack. */
  readonly isText?: boolean;
  /** Milliseconds since 1970. */
  readonly at: number;
}

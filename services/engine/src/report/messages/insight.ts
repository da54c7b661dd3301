/** One thing to do: what, and how. */
export interface Advice {
  readonly title: string;
  readonly detail: string;
}

/** The words for one kind of link. A function returns null when a value that its sentence needs is missing. */
export interface Insight<Args> {
  /** What happened, as a clause without a capital letter and a full stop. */
  readonly what: (args: Args) => string;
  /** What stops or repairs it; null when there is nothing specific to say. */
  readonly fix: (args: Args) => Advice | null;
  /** What keeps it from coming back. */
  readonly prevent: (args: Args) => Advice | null;
  /** What would be seen if it is the cause, as a clause. */
  readonly confirmedBy: (args: Args) => string | null;
  /** What would be seen if it isn't. */
  readonly ruledOutBy: (args: Args) => string | null;
}

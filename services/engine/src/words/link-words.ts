/** One thing to do: what, and how. */
export interface Advice {
  readonly title: string;
  readonly detail: string;
  /** The release that a service goes back to, for advice to deploy it again, and whether that only likely helps. */
  readonly rollsBack?: { readonly service: string; readonly to: string; readonly is_likely?: true };
}

/**
 * The words for one kind of link of the causal chain. A part that is absent, or returns null, has nothing specific to
 * say: a sentence that lacks a value isn't written.
 */
export interface LinkWords<Args> {
  /** What happened, as a clause, without a capital letter and a full stop. */
  readonly what: (args: Args) => string;
  /** What stops or repairs it. */
  readonly fix?: (args: Args) => Advice | null;
  /** What keeps it from coming back. */
  readonly prevent?: (args: Args) => Advice | null;
  /** What would be seen if it is the cause, as a clause. */
  readonly confirmedBy?: (args: Args) => string | null;
  /** What would be seen if it isn't the cause, as a clause. */
  readonly ruledOutBy?: (args: Args) => string | null;
}

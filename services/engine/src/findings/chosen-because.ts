/** Why one of several errors was investigated. */
export interface ChosenBecause {
  readonly reason:
    | "ended-process"
    /** No logger printed it, and nothing was printed after it. */
    | "ends-text"
    | "logged-fatal"
    | "first-own-stack"
    | "first-stack"
    | "first-error"
    | "first"
    /** It is the first whose stack shows given code; that of a stronger candidate shows none. */
    | "given-code"
    /** The others only report another attempt. */
    | "first-that-explains"
    /** The ones before it only refused requests of clients. */
    | "first-unanswered";
  /** How many others there are. */
  readonly others: number;
  /** Whether it is the last of several that ended the process. */
  readonly isLast: boolean;
  /** Indexes of the others that might also be the failure. */
  readonly rivals: readonly number[];
  /** Indexes of those inside a logged value, which are input rather than failures. */
  readonly inValues: readonly number[];
}

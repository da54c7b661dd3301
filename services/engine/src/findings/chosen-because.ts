/** Why one error of several was investigated. */
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
    /** The others only report another attempt. */
    | "first-that-explains";
  /** How many more there are. */
  readonly others: number;
  /** Whether it is the last of several that ended the process. */
  readonly isLast: boolean;
  /** Indexes of the others that might be the failure as well. */
  readonly rivals: readonly number[];
  /** Indexes of those that stand inside a logged value, which is input and no failure. */
  readonly inValues: readonly number[];
}

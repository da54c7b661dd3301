import { z } from "zod";

/** A kind of thing that an investigation could not see, or did not look at. */
export interface GapKind<Name extends string, Args> {
  readonly name: Name;
  /** What wasn't seen, as the documentation says it: without a full stop. */
  readonly means: string;
  readonly args: z.ZodType<Args>;
  /** What wasn't checked, and why, as a report says it. */
  readonly sentence: (args: Args) => string;
}

/** Defines a kind of gap. */
export function gapKind<const Name extends string, Args>(kind: GapKind<Name, Args>): GapKind<Name, Args> {
  return kind;
}

/** Of a kind that has nothing to add to its name. */
export const noArgs: z.ZodType<object> = z.strictObject({});

import { z } from "zod";

/** A kind of thing that an investigation couldn't see or didn't look at. */
export interface GapKind<Name extends string, Args> {
  readonly name: Name;
  /** What wasn't seen, for the documentation, without a full stop. */
  readonly means: string;
  readonly args: z.ZodType<Args>;
  /** Returns what wasn't checked, and why, as a report says it. */
  readonly sentence: (args: Args) => string;
}

/** Defines a kind of gap. */
export function gapKind<const Name extends string, Args>(kind: GapKind<Name, Args>): GapKind<Name, Args> {
  return kind;
}

/** The arguments of a kind that adds nothing to its name. */
export const noArgs: z.ZodType<object> = z.strictObject({});

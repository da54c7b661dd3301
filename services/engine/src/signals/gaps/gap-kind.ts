import { z } from "zod";
import { type Described, describeKind } from "../kind.ts";

/** A kind of thing that an investigation couldn't see or didn't look at. */
export interface GapKind<Name extends string, Args> {
  readonly name: Name;
  /** What wasn't seen, for the documentation, without a full stop. */
  readonly means: string;
  readonly args: z.ZodType<Args>;
  /** Arguments that are of the kind, for the documentation and the tests. */
  readonly example: NoInfer<Args>;
  /** Returns the report's sentence about what wasn't checked, and why. */
  readonly sentence: (args: Args) => string;
}

/** Defines a kind of gap. */
export function gapKind<const Name extends string, Args extends object>(
  kind: GapKind<Name, Args>,
): GapKind<Name, Args> & Described {
  return { ...kind, described: describeKind(kind, kind.args, kind.sentence) };
}

/** The arguments of a kind that adds nothing to its name. */
export const noArgs: z.ZodType<object> = z.strictObject({});

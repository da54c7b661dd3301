import type { Location } from "@whence/protocol";
import type { z } from "zod";
import { type Described, describeKind, examplePlace } from "../kind.ts";

/** A kind of change in a release. */
export interface ChangeKind<Name extends string, Args> {
  readonly name: Name;
  /** What was changed, for the documentation, without a full stop. */
  readonly means: string;
  readonly args: z.ZodType<Args>;
  /** Arguments that are of the kind, for the documentation and the tests. */
  readonly example: NoInfer<Args>;
  /** Returns what a release changed, as a predicate: `` renamed `amount` to `total` in `body.ts:7` ``. */
  readonly text: (args: Args, place: Location) => string;
  /** Returns the rank among all changes of a failure; the lowest is the strongest. */
  readonly order: (args: Args) => number;
  /** Whether it counts only where the failure runs through its place. */
  readonly isOfPlace?: boolean;
  /** Returns its weight for a changed file of the failing service. */
  readonly weight?: (args: Args) => ChangeWeight;
}

/**
 * How strongly a change by the new release points to a file of the failing service, from 0 to 1: where the failure
 * began soon after the release, and where a comparison makes the release suspect. Set by judgment, like the weights of
 * telemetry.
 */
export interface ChangeWeight {
  readonly near: number;
  readonly suspect: number;
}

/** Defines a kind of change. */
export function changeKind<const Name extends string, Args extends object>(
  kind: ChangeKind<Name, Args>,
): ChangeKind<Name, Args> & Described {
  const change = kind.weight?.(kind.example);
  const described = describeKind(kind, kind.args, (args) => kind.text(args, examplePlace), {
    ...(change && { change }),
  });
  return { ...kind, described };
}

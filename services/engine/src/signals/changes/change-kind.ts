import type { Location } from "@whence/protocol";
import type { z } from "zod";

/** A kind of thing that a release changed, in the terms of the failure. */
export interface ChangeKind<Name extends string, Args> {
  readonly name: Name;
  /** What was changed, as the documentation says it: without a full stop. */
  readonly means: string;
  readonly args: z.ZodType<Args>;
  /** What a release changed, as a predicate of it: `` renamed `amount` to `total` in `body.ts:7` ``. */
  readonly text: (args: Args, place: Location) => string;
  /** The place among all changes of a failure; the smallest tells most. */
  readonly order: (args: Args) => number;
  /** Whether it bears on the failure only where the failure passes its place. */
  readonly isOfPlace?: boolean;
  /** What it says for a changed file of the failing service. */
  readonly weight?: (args: Args) => ChangeWeight;
}

/**
 * What it says for a file of the failing service that its new release changed it, 0 to 1: where the failure began soon
 * after the release, and where a comparison makes the release suspect. Set by judgment, as the weights of telemetry are.
 */
export interface ChangeWeight {
  readonly near: number;
  readonly suspect: number;
}

/** Defines a kind of change. */
export function changeKind<const Name extends string, Args>(kind: ChangeKind<Name, Args>): ChangeKind<Name, Args> {
  return kind;
}

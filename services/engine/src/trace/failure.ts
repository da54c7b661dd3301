import type { EventFacts } from "../findings/event-facts.ts";
import type { LocatedException, LocatedFrame } from "../findings/located-frame.ts";
import type { ParsedError } from "../findings/parsed-error.ts";
import { saidBy } from "../words/thrown.ts";
import type { Codebase } from "./code/codebase.ts";

/** What is known of a failure when its origin is sought in the code. */
export interface Failure {
  readonly codebase: Codebase;
  readonly error: ParsedError;
  /** The client's event; null for a text. */
  readonly event: EventFacts | null;
  /** The error and its causes, from the outermost on. */
  readonly chain: readonly LocatedException[];
  /** The frames of all of them. */
  readonly frames: readonly LocatedFrame[];
  /** Everything that they say, with the headline. */
  readonly said: string;
}

export function failureOf(
  codebase: Codebase,
  error: ParsedError,
  event: EventFacts | null,
  chain: readonly LocatedException[],
): Failure {
  const frames = chain.flatMap((one) => one.frames);
  const said = [error.headline, ...chain.map(({ exception }) => saidBy(exception))].join("\n");
  return { codebase, error, event, chain, frames, said };
}

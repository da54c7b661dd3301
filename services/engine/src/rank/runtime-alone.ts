import type { LocatedFrame } from "../findings/located-frame.ts";
import type { Candidate } from "./candidate.ts";

/**
 * Returns whether a stack has only calls of the runtime and nothing leads from them to the first candidate in code: any
 * place would be a guess.
 */
export function isRuntimeAlone(frames: readonly LocatedFrame[], first: Candidate | undefined): boolean {
  const isLedTo = first !== undefined && first.frames.length + first.signals.length + first.observations.length > 0;
  return frames.length > 0 && frames.every(({ frame }) => frame.origin === "runtime") && !isLedTo;
}

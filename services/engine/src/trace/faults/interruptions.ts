import type { LocatedFrame } from "../../findings/located-frame.ts";
import type { ParsedException } from "../../findings/parsed-error.ts";
import type { Codebase } from "../code/codebase.ts";

/** What a watch reports with the stack of a thread that has been busy for too long. */
const reported =
  /^(?:ApplicationNotResponding|ANR|ERR_SCRIPT_EXECUTION_TIMEOUT)\b|Application Not Responding|Script execution timed out|(?:event loop|main thread) (?:has been |was |is )?blocked/i;

/** Returns whether an error's stack is that of code that ran too long, rather than of code that failed. */
export function isInterruption(
  codebase: Codebase,
  { type, message }: ParsedException,
  frames: readonly LocatedFrame[],
): boolean {
  if (reported.test(`${type}: ${message}`)) return true;
  return frames.some(({ place }) => place && codebase.of(place.source)?.dialect.interruption?.test(type));
}

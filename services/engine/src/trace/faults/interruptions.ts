import type { LocatedException } from "../../findings/located-frame.ts";
import { saidBy } from "../../words/thrown.ts";
import type { Codebase } from "../code/codebase.ts";
import type { Failure } from "../failure.ts";
import type { Trail } from "../follow/trail.ts";
import { findBlocking } from "./blocking.ts";

/** What a watch reports with the stack of a thread that has been busy for too long. */
const reported =
  /^(?:ApplicationNotResponding|ANR|ERR_SCRIPT_EXECUTION_TIMEOUT)\b|Application Not Responding|Script execution timed out|(?:event loop|main thread) (?:has been |was |is )?blocked/i;

/** Notes what kept a thread busy, if an error's stack is that of code that ran too long, rather than of code that failed. */
export function findInterruptions({ codebase, chain }: Failure, trail: Trail): void {
  for (const one of chain) if (isInterruption(codebase, one)) findBlocking(codebase, one.frames, trail);
}

function isInterruption(codebase: Codebase, { exception, frames }: LocatedException): boolean {
  if (reported.test(saidBy(exception))) return true;
  return frames.some(({ place }) => place && codebase.of(place.source)?.dialect.interruption?.test(exception.type));
}

import type { LocatedFrame } from "../findings/located-frame.ts";
import type { Failure } from "./failure.ts";
import { findImportCycles } from "./faults/import-cycles.ts";
import { faultFinders } from "./faults/index.ts";
import { findMissingExports } from "./faults/missing-exports.ts";
import { findRecursion } from "./faults/recursion.ts";
import { wrapOf } from "./faults/wraps.ts";
import { followError } from "./follow/follow-error.ts";
import type { Trail } from "./follow/trail.ts";

/**
 * Finds everything in the code that bears on the failure, backwards from each throw site, and next to it. Returns the
 * frames that only wrapped an error that the code explains.
 */
export function seekOrigins(failure: Failure, trail: Trail): LocatedFrame[] {
  const { codebase, chain } = failure;
  const wraps: LocatedFrame[] = [];
  // The innermost error comes first, because the failure began with it.
  for (const [index, { exception, frames }] of chain.toReversed().entries()) {
    const wrap = index > 0 ? wrapOf(codebase, exception, frames) : null;
    if (!wrap || trail.length === 0) {
      findRecursion(codebase, exception, frames, trail);
      followError(codebase, exception, frames, trail);
      findMissingExports(codebase, exception, frames, trail);
      findImportCycles(codebase, exception, frames, trail);
    }
    if (wrap && trail.length > 0) wraps.push(wrap);
  }
  for (const findFault of faultFinders) findFault(failure, trail);
  return wraps;
}

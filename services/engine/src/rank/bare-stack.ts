import type { LocatedFrame } from "../findings/located-frame.ts";
import { isNamedTest } from "../source/test-file.ts";
import type { BareStack, Candidate } from "./candidate.ts";

/**
 * Returns whose calls a stack has if it shows no code of the program itself, and nothing leads from it to other code, so
 * that any place would be a guess; null for others. A failed assertion shows only the test.
 */
export function bareStackOf(frames: readonly LocatedFrame[], first: Candidate | undefined): BareStack | null {
  if (first === undefined || first.frames.length === 0) {
    const isLedTo = first !== undefined && first.signals.length + first.observations.length > 0;
    const isRuntime = frames.length > 0 && frames.every(({ frame }) => frame.origin === "runtime");
    return isRuntime && !isLedTo ? "runtime" : null;
  }
  const shown = [...frames.filter(({ frame }) => frame.origin === "app"), ...first.frames];
  return shown.every(({ file }) => isNamedTest(file)) && first.observations.length === 0 ? "test" : null;
}

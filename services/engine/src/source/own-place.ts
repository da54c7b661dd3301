import type { ParsedException, ParsedFrame } from "../findings/parsed-error.ts";

/**
 * Returns the innermost call of an error in the service's own code, or of the error it wraps when it has no stack
 * itself. Null without one.
 */
export function ownPlaceOf(exceptions: readonly ParsedException[], index: number): ParsedFrame | null {
  const next = exceptions[index + 1];
  const frames = exceptions[index]?.frames ?? [];
  const known = frames.length === 0 && next?.parent === index ? next.frames : frames;
  return known.find(({ file, origin }) => file !== null && origin === "app") ?? null;
}

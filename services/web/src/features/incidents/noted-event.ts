import type { FailingEvent } from "@whence/protocol";

/**
 * Returns whether something about an event is worth noting: a part is missing or replaced, or it has local variables.
 */
export function isNoted(event: FailingEvent): boolean {
  const { redactions, withheld, kept_back: kept, mapped_frames: frames, local_variables: variables } = event;
  return redactions.length + kept + frames.length + variables.length > 0 || withheld || event.claimed_at !== null;
}

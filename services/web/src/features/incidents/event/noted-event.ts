import type { FailingEvent } from "@whence/protocol";

/** Returns whether something about an event is worth noting: a part is missing, replaced, or mapped. */
export function isNoted(event: FailingEvent): boolean {
  const { redactions, withheld, kept_back: kept, mapped_frames: frames } = event;
  return redactions.length + kept + frames.length > 0 || withheld || event.claimed_at !== null;
}

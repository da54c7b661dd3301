import { limits } from "./limits.ts";

/**
 * When an event happened, in milliseconds since the epoch: as its client says, unless that is more than
 * `limits.eventAgeMaxMs` before or `limits.eventAheadMaxMs` after it was received. Such a clock says nothing, and the
 * time of receipt counts.
 */
export function eventTime(timestamp: string, receivedAtMs: number): number {
  const claimedMs = Date.parse(timestamp);
  const ageMs = receivedAtMs - claimedMs;
  return ageMs <= limits.eventAgeMaxMs && ageMs >= -limits.eventAheadMaxMs ? claimedMs : receivedAtMs;
}

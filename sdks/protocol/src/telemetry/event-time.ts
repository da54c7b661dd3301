import { limits } from "../limits.ts";

/**
 * When an event happened, in milliseconds since the epoch: as its client says, unless that is more than
 * `limits.eventAgeMaxMs` before or `limits.eventAheadMaxMs` after it was received. Such a clock says nothing, and the
 * time of receipt counts.
 */
export function eventTime(timestamp: string, receivedAtMs: number): number {
  const claimedMs = withoutFuture(timestamp, receivedAtMs);
  return receivedAtMs - claimedMs <= limits.eventAgeMaxMs ? claimedMs : receivedAtMs;
}

/**
 * When something began or ended, in milliseconds since the epoch: as its sender says, unless that is more than
 * `limits.eventAheadMaxMs` after it was received. What has lasted for weeks may have begun then, but nothing that is announced
 * lies in the future: believed, such a time would count as later than all that follows.
 */
export function withoutFuture(timestamp: string, receivedAtMs: number): number {
  const claimedMs = Date.parse(timestamp);
  return claimedMs - receivedAtMs <= limits.eventAheadMaxMs ? claimedMs : receivedAtMs;
}

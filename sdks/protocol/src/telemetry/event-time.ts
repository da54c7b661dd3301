import { limits } from "../limits.ts";

/**
 * Returns when an event happened, in milliseconds since the epoch: the client's timestamp, unless it is more than
 * `limits.eventAgeMaxMs` before or `limits.eventAheadMaxMs` after the receipt. Such a clock is wrong, and the time of
 * receipt is used.
 */
export function eventTime(timestamp: string, receivedAtMs: number): number {
  const claimedMs = withoutFuture(timestamp, receivedAtMs);
  return receivedAtMs - claimedMs <= limits.eventAgeMaxMs ? claimedMs : receivedAtMs;
}

/**
 * Returns when something began or ended, in milliseconds since the epoch: the sender's timestamp, unless it is more
 * than `limits.eventAheadMaxMs` after the receipt. A failure may have begun weeks ago, but an announcement can't come
 * from the future: if believed, it would sort after everything that follows.
 */
export function withoutFuture(timestamp: string, receivedAtMs: number): number {
  const claimedMs = Date.parse(timestamp);
  return claimedMs - receivedAtMs <= limits.eventAheadMaxMs ? claimedMs : receivedAtMs;
}

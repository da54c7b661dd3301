import { WhenceError } from "@whence/protocol";
import { clientLimits } from "./client-limits.ts";
import type { HttpAnswer } from "./http.ts";
import { pause } from "./pause.ts";

/** Statuses that ask the client to retry later. */
const tryLaterStatuses = [429, 503];

/**
 * Sends a request until it gets an answer other than 429 or 503, at most {@link clientLimits.triesMax} times. The wait
 * doubles each time, or is as long as `Retry-After` says; an answer that asks for more than {@link
 * clientLimits.retryAfterMaxMs} is returned. A request that timed out isn't sent again: the service may be working on
 * it.
 */
export async function withRetries(send: () => Promise<HttpAnswer>, signal?: AbortSignal): Promise<HttpAnswer> {
  for (let attempt = 1; ; attempt++) {
    const isLast = attempt >= clientLimits.triesMax;
    const answer = await attemptOnce(send, isLast);
    if (answer && (isLast || !tryLaterStatuses.includes(answer.status))) return answer;
    const askedMs = retryAfterMs(answer?.retryAfter ?? null, Date.now());
    if (answer && askedMs > clientLimits.retryAfterMaxMs) return answer;
    await pause(Math.max(askedMs, backOffMs(attempt, Math.random())), signal);
  }
}

/** Returns the answer; null when the network failed and another attempt is left. */
async function attemptOnce(send: () => Promise<HttpAnswer>, isLast: boolean): Promise<HttpAnswer | null> {
  try {
    return await send();
  } catch (error) {
    const isNetwork = error instanceof WhenceError && error.code === "WHENCE_ERR_SERVICE_UNREACHABLE";
    if (isLast || !isNetwork) throw error;
    return null;
  }
}

/**
 * Returns a random wait between half and all of the attempt's backoff, to spread clients out. `random` is in [0, 1).
 */
export function backOffMs(attempt: number, random: number): number {
  const ceiling = Math.min(clientLimits.backOffMaxMs, clientLimits.backOffFirstMs * 2 ** (attempt - 1));
  return ceiling / 2 + (random * ceiling) / 2;
}

/**
 * Parses `Retry-After` in seconds or as a date (RFC 9110, section 10.2.3) into milliseconds from `now`; 0 without one.
 */
export function retryAfterMs(header: string | null, now: number): number {
  if (header === null) return 0;
  const wait = /^\s*\d{1,10}\s*$/.test(header) ? Number(header) * 1_000 : Date.parse(header) - now;
  return Number.isNaN(wait) ? 0 : Math.max(0, wait);
}

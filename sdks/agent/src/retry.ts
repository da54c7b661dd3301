import { WhenceError } from "@whence/protocol";
import { clientLimits } from "./client-limits.ts";
import type { HttpAnswer } from "./http.ts";
import { pause } from "./pause.ts";

/** Statuses that say "not now". */
const tryLaterStatuses = [429, 503];

/**
 * Sends until there is an answer that is none of "not now", {@link clientLimits.triesMax} times at most. Between two
 * tries it waits twice as long as before, or as long as `Retry-After` says; an answer that wants more patience than
 * {@link clientLimits.retryAfterMaxMs} is returned as it is. What took too long is not sent again: the service may be
 * at work on it.
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

/** The answer; null when the network failed and there is another try. */
async function attemptOnce(send: () => Promise<HttpAnswer>, isLast: boolean): Promise<HttpAnswer | null> {
  try {
    return await send();
  } catch (error) {
    const isNetwork = error instanceof WhenceError && error.code === "WHENCE_ERR_SERVICE_UNREACHABLE";
    if (isLast || !isNetwork) throw error;
    return null;
  }
}

/** Between half of the time that the attempt allows and all of it: not all clients at once. `random` is in [0, 1). */
export function backOffMs(attempt: number, random: number): number {
  const ceiling = Math.min(clientLimits.backOffMaxMs, clientLimits.backOffFirstMs * 2 ** (attempt - 1));
  return ceiling / 2 + (random * ceiling) / 2;
}

/** `Retry-After` in seconds or as a date (RFC 9110, section 10.2.3), as milliseconds from now; 0 for none. */
export function retryAfterMs(header: string | null, now: number): number {
  if (header === null) return 0;
  const wait = /^\s*\d{1,10}\s*$/.test(header) ? Number(header) * 1_000 : Date.parse(header) - now;
  return Number.isNaN(wait) ? 0 : Math.max(0, wait);
}

import { hourMs } from "@whence/protocol";

/** Attempts at one message: they span about two hours, after which an incident is old news. */
export const attemptsMax = 8;
const firstWaitMs = 10_000;
const growth = 3;
const waitMaxMs = hourMs;

/** How long to wait after this many failed attempts: longer each time, and no less than the recipient asked for. */
export function retryWaitMs(attempts: number, retryAfterMs: number | null): number {
  const wait = Math.min(firstWaitMs * growth ** (attempts - 1), waitMaxMs);
  return Math.max(wait, Math.min(retryAfterMs ?? 0, waitMaxMs));
}

import { secondMs } from "@whence/protocol";

/**
 * Returns how long a `Retry-After` header asks to wait, given in seconds or as an HTTP date (RFC 9110, section 10.2.3);
 * null for neither.
 */
export function retryAfterMs(header: string | undefined, now: number): number | null {
  if (header === undefined || header.trim() === "") return null;
  const seconds = Number(header);
  const wait = Number.isNaN(seconds) ? Date.parse(header) - now : seconds * secondMs;
  return Number.isNaN(wait) ? null : Math.max(0, wait);
}

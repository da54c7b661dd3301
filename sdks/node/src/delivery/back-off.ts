import * as sdkLimits from "../sdk-limits.ts";

/** Decides how long to wait after the service has failed. */
export class BackOff {
  readonly #elapsed: () => number;
  readonly #random: () => number;
  #failures = 0;
  /** When our own backoff ends, and the one that the service asked for. */
  #ownUntil = 0;
  #askedUntil = 0;

  /** `elapsed` returns monotonic milliseconds; `random`, in [0, 1), spreads the retries of many processes. */
  constructor(elapsed: () => number, random: () => number) {
    this.#elapsed = elapsed;
    this.#random = random;
  }

  /** Milliseconds until the next attempt; 0 when it may be made now. */
  get waitMs(): number {
    return Math.max(0, this.#ownUntil - this.#elapsed(), this.#askedUntil - this.#elapsed());
  }

  /** Called after a successful request. */
  succeeded(): void {
    this.#failures = 0;
    this.#ownUntil = 0;
    this.#askedUntil = 0;
  }

  /**
   * Doubles the backoff, randomized between half of it and all of it, and at least as long as the service asked for.
   */
  failed(askedMs: number = 0): void {
    const ceiling = Math.min(sdkLimits.backOffMaxMs, sdkLimits.backOffFirstMs * 2 ** Math.min(this.#failures, 10));
    this.#failures += 1;
    this.#wait(ceiling, askedMs);
  }

  /** Sets the longest backoff: the service said that a retry won't succeed. */
  refused(askedMs: number = 0): void {
    this.#failures += 1;
    this.#wait(sdkLimits.backOffMaxMs, askedMs);
  }

  /** Drops our own backoff when the program is in a hurry; the service's still counts. */
  hurry(): void {
    this.#ownUntil = 0;
  }

  #wait(ceiling: number, askedMs: number): void {
    const now = this.#elapsed();
    this.#ownUntil = now + ceiling / 2 + (this.#random() * ceiling) / 2;
    // A random extra wait, so that processes told to wait a minute don't all return at once.
    const spread = askedMs > 0 ? this.#random() * sdkLimits.backOffFirstMs : 0;
    this.#askedUntil = now + askedMs + spread;
  }
}

/**
 * Parses `Retry-After` in seconds or as a date (RFC 9110, section 10.2.3) into bounded milliseconds from `now`; 0
 * without one.
 */
export function retryAfterMs(header: string | undefined, now: number): number {
  if (header === undefined) return 0;
  const wait = /^\s*\d+\s*$/.test(header) ? Number(header) * 1_000 : Date.parse(header) - now;
  return Number.isNaN(wait) ? 0 : Math.min(sdkLimits.retryAfterMaxMs, Math.max(0, wait));
}

import * as sdkLimits from "../sdk-limits.ts";

/** How long the service is left alone after it failed. */
export class BackOff {
  readonly #elapsed: () => number;
  readonly #random: () => number;
  #failures = 0;
  /** When our own patience ends, and that which the service asked for. */
  #ownUntil = 0;
  #askedUntil = 0;

  /** `elapsed` in milliseconds, never set back; `random` in [0, 1) spreads the retries of many processes. */
  constructor(elapsed: () => number, random: () => number) {
    this.#elapsed = elapsed;
    this.#random = random;
  }

  /** Milliseconds until the service may be asked again; 0 when it may be now. */
  get waitMs(): number {
    return Math.max(0, this.#ownUntil - this.#elapsed(), this.#askedUntil - this.#elapsed());
  }

  /** The service answered as it should. */
  succeeded(): void {
    this.#failures = 0;
    this.#ownUntil = 0;
    this.#askedUntil = 0;
  }

  /** Twice as long as the last time, between half of that and all of it; and no shorter than the service asked for. */
  failed(askedMs: number = 0): void {
    const ceiling = Math.min(sdkLimits.backOffMaxMs, sdkLimits.backOffFirstMs * 2 ** Math.min(this.#failures, 10));
    this.#failures += 1;
    this.#wait(ceiling, askedMs);
  }

  /** As long as it ever gets: the service said that the next try will fare no better. */
  refused(askedMs: number = 0): void {
    this.#failures += 1;
    this.#wait(sdkLimits.backOffMaxMs, askedMs);
  }

  /** The program has no time: only what the service asked for still counts. */
  hurry(): void {
    this.#ownUntil = 0;
  }

  #wait(ceiling: number, askedMs: number): void {
    const now = this.#elapsed();
    this.#ownUntil = now + ceiling / 2 + (this.#random() * ceiling) / 2;
    // Processes that are asked to wait a minute wait a little longer, so that they don't all return at once.
    const spread = askedMs > 0 ? this.#random() * sdkLimits.backOffFirstMs : 0;
    this.#askedUntil = now + askedMs + spread;
  }
}

/** `Retry-After` in seconds or as a date (RFC 9110, section 10.2.3), as milliseconds from now; bounded, 0 for none. */
export function retryAfterMs(header: string | undefined, now: number): number {
  if (header === undefined) return 0;
  const wait = /^\s*\d+\s*$/.test(header) ? Number(header) * 1_000 : Date.parse(header) - now;
  return Number.isNaN(wait) ? 0 : Math.min(sdkLimits.retryAfterMaxMs, Math.max(0, wait));
}

/** Keys that one limit counts at a time. Beyond them, the one that was counted longest ago is forgotten. */
const keysMax = 5_000;

/** Requests of one key since a time, in milliseconds since 1970. */
interface RateWindow {
  readonly startedAt: number;
  readonly requests: number;
}

type Answer = (error: null, counted: { readonly current: number; readonly ttl: number }) => void;

/**
 * The requests per key of one limit in this process, as a `store` of `@fastify/rate-limit`. The store of that library
 * answers with the object that it counts in: requests counted in the same turn all see the last one's count, so all of
 * a burst would be refused instead of what exceeds the limit.
 */
export class RateWindows {
  readonly #windows = new Map<string, RateWindow>();

  /** Counts a request. Answers with the requests in the window, and the milliseconds until it ends. */
  incr(key: string, answer: Answer, windowMs: number): void {
    const now = Date.now();
    const { startedAt, requests } = this.#find(key, now, windowMs) ?? { startedAt: now, requests: 0 };
    // Last in the map's order.
    this.#windows.delete(key);
    this.#windows.set(key, { startedAt, requests: requests + 1 });
    if (this.#windows.size > keysMax) this.#forgetOldest();
    answer(null, { current: requests + 1, ttl: startedAt + windowMs - now });
  }

  /** Answers as `incr` does, and counts nothing. */
  read(key: string, answer: Answer, windowMs: number): void {
    const now = Date.now();
    const found = this.#find(key, now, windowMs);
    answer(null, found ? { current: found.requests, ttl: found.startedAt + windowMs - now } : { current: 0, ttl: 0 });
  }

  /** Returns the store of another limit. */
  child(): RateWindows {
    return new RateWindows();
  }

  #find(key: string, now: number, windowMs: number): RateWindow | undefined {
    const found = this.#windows.get(key);
    return found && now < found.startedAt + windowMs ? found : undefined;
  }

  #forgetOldest(): void {
    for (const key of this.#windows.keys()) {
      this.#windows.delete(key);
      return;
    }
  }
}

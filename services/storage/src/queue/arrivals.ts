/** Node runs a longer timer at once. */
const timerMsMax = 2_147_483_647;

/** Wakes receivers that wait for a topic. Counts arrivals, so one between a check and the wait isn't missed. */
export class Arrivals {
  readonly #counts = new Map<string, number>();
  readonly #waiting = new Map<string, Set<() => void>>();

  /** How many arrivals the topic has had: taken before looking, compared by {@link wait}. */
  count(topic: string): number {
    return this.#counts.get(topic) ?? 0;
  }

  /** Something was published to the topic, or became free to take. */
  announce(topic: string): void {
    this.#counts.set(topic, this.count(topic) + 1);
    for (const wake of this.#waiting.get(topic) ?? []) wake();
  }

  announceAll(): void {
    for (const topic of this.#waiting.keys()) this.announce(topic);
  }

  /** Resolves at the first arrival after `since`, when `signal` fires, or after `waitMs`. */
  async wait(topic: string, since: number, waitMs: number, signal: AbortSignal | undefined): Promise<void> {
    if (this.count(topic) !== since || signal?.aborted) return;
    const { promise, resolve } = Promise.withResolvers<void>();
    const wake = (): void => resolve();
    const waiting = this.#waiting.get(topic) ?? new Set();
    this.#waiting.set(topic, waiting.add(wake));
    const timer = setTimeout(wake, Math.min(waitMs, timerMsMax));
    signal?.addEventListener("abort", wake);
    await promise;
    clearTimeout(timer);
    signal?.removeEventListener("abort", wake);
    waiting.delete(wake);
  }
}

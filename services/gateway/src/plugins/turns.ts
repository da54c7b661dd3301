/** About 3 ms of parsing and validating. */
export const turnBytesMax = 524_288;

interface Waiting {
  readonly bytes: number;
  readonly resolve: () => void;
}

/**
 * Spreads the work on bodies that come together over turns of the event loop, in their order, so that timers, other
 * connections and answers of the queue wait for one turn's work and not for all of it.
 */
export class Turns {
  readonly #waiting: Waiting[] = [];
  #used = 0;

  /** Resolves when the body's turn has come; undefined when that is now. A body larger than a turn has one alone. */
  take(bytes: number): Promise<void> | undefined {
    if (this.#waiting.length === 0 && this.#use(bytes)) return undefined;
    return new Promise((resolve) => this.#waiting.push({ bytes, resolve }));
  }

  #use(bytes: number): boolean {
    if (this.#used > 0 && this.#used + bytes > turnBytesMax) return false;
    if (this.#used === 0) setImmediate(this.#begin);
    this.#used += Math.max(1, bytes);
    return true;
  }

  readonly #begin = (): void => {
    this.#used = 0;
    for (let next = this.#waiting[0]; next !== undefined && this.#use(next.bytes); next = this.#waiting[0]) {
      this.#waiting.shift();
      next.resolve();
    }
  };
}

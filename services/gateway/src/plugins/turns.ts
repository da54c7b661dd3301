/** About 3 ms of parsing and validating. */
export const turnBytesMax = 524_288;

interface Waiting {
  readonly bytes: number;
  readonly resolve: () => void;
}

/**
 * Spreads the processing of simultaneous bodies over turns of the event loop, in order, so that timers, other
 * connections, and the queue's answers wait for one turn's work rather than for all of it.
 */
export class Turns {
  readonly #waiting: Waiting[] = [];
  #used = 0;

  /** Resolves when it is the body's turn; undefined when that is now. A body larger than a turn gets one alone. */
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

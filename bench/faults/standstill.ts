const beatMs = 100;

/** Detects when this process didn't run: the machine was busy, or the process was suspended. */
export class Standstill implements Disposable {
  #lastBeat = performance.now();
  #longestMs = 0;
  readonly #timer = setInterval(() => this.#beat(), beatMs);

  /** The longest delay of a tick. */
  get longestMs(): number {
    return Math.round(this.#longestMs);
  }

  [Symbol.dispose](): void {
    clearInterval(this.#timer);
  }

  #beat(): void {
    const now = performance.now();
    this.#longestMs = Math.max(this.#longestMs, now - this.#lastBeat - beatMs);
    this.#lastBeat = now;
  }
}

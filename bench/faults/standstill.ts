const beatMs = 100;

/** Notices when this process did not run: its machine was busy with others, or it was stopped. */
export class Standstill implements Disposable {
  #lastBeat = performance.now();
  #longestMs = 0;
  readonly #timer = setInterval(() => this.#beat(), beatMs);

  /** The longest that a beat was late. */
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

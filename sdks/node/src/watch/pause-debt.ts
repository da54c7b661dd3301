import * as sdkLimits from "../sdk-limits.ts";

/** What stopping the program has cost, and when it may be stopped again: for a millisecond a second on average. */
export class PauseDebt {
  readonly #clock: () => number;
  #owedMs = 0;
  #at = 0;

  /** `clock` returns milliseconds. */
  constructor(clock: () => number) {
    this.#clock = clock;
    this.#at = clock();
  }

  /** Whether no more stops are allowed until the debt is paid. */
  get isUsedUp(): boolean {
    return this.#owed() >= sdkLimits.watchPauseMsMax;
  }

  get isPaid(): boolean {
    return this.#owed() === 0;
  }

  /** Adds a stop: V8 describes each call on the stack before its listener can measure anything. */
  addStop(calls: number, readMs: number): void {
    this.addMs(sdkLimits.watchPauseMs + calls * sdkLimits.watchPauseMsPerCall + readMs);
  }

  addMs(ms: number): void {
    this.#owedMs = this.#owed() + ms;
  }

  #owed(): number {
    const now = this.#clock();
    this.#owedMs = Math.max(0, this.#owedMs - ((now - this.#at) / 1_000) * sdkLimits.watchPauseMsPerSecond);
    this.#at = now;
    return this.#owedMs;
  }
}

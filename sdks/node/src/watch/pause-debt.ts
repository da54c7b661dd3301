import { elapsedMs } from "../runtime/native-timers.ts";
import * as sdkLimits from "../sdk-limits.ts";

const { cpuUsage } = process;

/** Begins to measure; returns how many ms were used since, without the time in which other processes ran. */
export function beginWork(): () => number {
  const [at, used] = [elapsedMs(), cpuUsage()];
  return () => {
    const { user, system } = cpuUsage(used);
    // Other threads use the processor, too.
    return Math.min(elapsedMs() - at, (user + system) / 1_000);
  };
}

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

  /** How much isn't paid yet, in ms. */
  get owedMs(): number {
    const now = this.#clock();
    this.#owedMs = Math.max(0, this.#owedMs - ((now - this.#at) / 1_000) * sdkLimits.watchPauseMsPerSecond);
    this.#at = now;
    return this.#owedMs;
  }

  /** How much may be owed once a request that has failed before was watched, in ms; 0 while it can't be. */
  get owedMsMaxOfFailed(): number {
    const { owedMs } = this;
    return owedMs <= sdkLimits.watchOwedMsMax ? owedMs + sdkLimits.watchPauseMsMax : 0;
  }

  /** The same of one that probably doesn't fail. */
  get owedMsMaxOfGuess(): number {
    return this.owedMs === 0 ? sdkLimits.watchPauseMsMax : 0;
  }

  /** Adds a stop: V8 describes each call on the stack before its listener can measure anything. */
  addStop(calls: number, readMs: number): void {
    this.addMs(sdkLimits.watchPauseMs + calls * sdkLimits.watchPauseMsPerCall + readMs);
  }

  addMs(ms: number): void {
    this.#owedMs = this.owedMs + ms;
  }
}

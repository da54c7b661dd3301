import * as sdkLimits from "../sdk-limits.ts";

/** The errors at which V8 pauses. */
export type PauseState = "all" | "uncaught" | "none";

/** The next lower state when the budget is used up. */
const stepsBack: Readonly<Record<PauseState, PauseState>> = { all: "uncaught", uncaught: "none", none: "none" };

/** A completed pause. */
export interface Pause {
  readonly startedAt: number;
  /** The number of calls on the stack: V8 describes all of them, which takes most of the time. */
  readonly calls: number;
  /** Whether any of them was the program's own, so that its variables were read. */
  readonly isOwn: boolean;
}

/**
 * Limits how often and how long a program stops for its errors. Above the limits of pauses, calls on the stacks, or
 * time per second, it stops only at uncaught errors, and then at none, for a period that doubles each time.
 */
export class PauseBudget {
  readonly #clock: () => number;
  #state: PauseState = "all";
  #pauses = 0;
  #calls = 0;
  #ms = 0;
  #windowStart = Number.NEGATIVE_INFINITY;
  #backOffMs = 0;
  #steppedBackAt = Number.NEGATIVE_INFINITY;

  /** `clock` returns milliseconds. */
  constructor(clock: () => number) {
    this.#clock = clock;
  }

  get state(): PauseState {
    return this.#state;
  }

  spend({ startedAt, calls, isOwn }: Pause): void {
    if (startedAt - this.#windowStart > sdkLimits.localsWindowMs) this.#openWindow(startedAt);
    if (isOwn) this.#pauses += 1;
    this.#calls += calls;
    this.#ms += this.#clock() - startedAt;
    const isUsedUp =
      this.#pauses >= sdkLimits.localsPausesMax ||
      this.#calls >= sdkLimits.localsCallsMax ||
      this.#ms >= sdkLimits.localsPauseMsMax;
    if (isUsedUp) this.#stepBack(startedAt);
  }

  /** Returns to stopping at all errors after the backoff. */
  tick(): void {
    if (this.#state !== "all" && this.#clock() - this.#steppedBackAt >= this.#backOffMs) this.#state = "all";
  }

  #stepBack(now: number): void {
    const isSoon = now - this.#steppedBackAt < 2 * this.#backOffMs;
    if (this.#state === "all")
      this.#backOffMs = Math.min(
        isSoon ? 2 * this.#backOffMs : sdkLimits.localsBackOffFirstMs,
        sdkLimits.localsBackOffMaxMs,
      );
    this.#state = stepsBack[this.#state];
    this.#steppedBackAt = now;
    this.#openWindow(now);
  }

  #openWindow(now: number): void {
    this.#windowStart = now;
    this.#pauses = 0;
    this.#calls = 0;
    this.#ms = 0;
  }
}

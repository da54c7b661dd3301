import { AsyncLocalStorage } from "node:async_hooks";

/** Mutes the log records that the client's own work causes, such as those that `beforeSend` prints. */
export class LogMute {
  #isMuted = false;
  readonly #muted = new AsyncLocalStorage<true>();

  get isMuted(): boolean {
    return this.#isMuted || this.#muted.getStore() === true;
  }

  /** Runs `run`, and everything it starts, muted. Returns and throws what it does. */
  throughout<Result>(run: () => Result): Result {
    return this.#muted.run(true, run);
  }

  /** Runs `run` muted. Returns and throws what it does. */
  during<Result>(run: () => Result): Result {
    const before = this.#isMuted;
    this.#isMuted = true;
    try {
      return run();
    } finally {
      this.#isMuted = before;
    }
  }
}

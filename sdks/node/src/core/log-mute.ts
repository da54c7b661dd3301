/** Mutes the log records that the client's own work causes, such as those that `beforeSend` prints. */
export class LogMute {
  #isMuted = false;

  get isMuted(): boolean {
    return this.#isMuted;
  }

  /** Runs `run` muted. What it returns or throws passes. */
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

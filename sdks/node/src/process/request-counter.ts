/** The request counts in a heartbeat. */
export interface RequestCounts {
  /** Requests answered since the last heartbeat. */
  readonly requests: number;
  /** Those answered with 500 or above. */
  readonly failed_requests: number;
}

const failedFrom = 500;

/** Counts the requests that the servers of this thread answer. */
export class RequestCounter {
  #areKnown = false;
  #requests = 0;
  #failed = 0;

  add(statusCode: number): void {
    this.#requests += 1;
    if (statusCode >= failedFrom) this.#failed += 1;
  }

  /** Returns the counts since the last call; undefined before the first request, since the process may serve none. */
  take(): RequestCounts | undefined {
    this.#areKnown ||= this.#requests > 0;
    const counts = { requests: this.#requests, failed_requests: this.#failed };
    this.#requests = 0;
    this.#failed = 0;
    return this.#areKnown ? counts : undefined;
  }
}

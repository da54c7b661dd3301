/** What a heartbeat says of requests. */
export interface AnswerCounts {
  /** Answered since the last heartbeat. */
  readonly requests: number;
  /** Those of them that were answered with 500 and above. */
  readonly failed_requests: number;
}

const failedFrom = 500;

/** Counts the requests that the servers of this thread answer. */
export class AnsweredRequests {
  #areKnown = false;
  #requests = 0;
  #failed = 0;

  add(statusCode: number): void {
    this.#requests += 1;
    if (statusCode >= failedFrom) this.#failed += 1;
  }

  /** What came since the last time; undefined while there never was any: nobody knows whether it serves requests. */
  take(): AnswerCounts | undefined {
    this.#areKnown ||= this.#requests > 0;
    const counts = { requests: this.#requests, failed_requests: this.#failed };
    this.#requests = 0;
    this.#failed = 0;
    return this.#areKnown ? counts : undefined;
  }
}

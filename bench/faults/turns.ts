/** Runs tasks one after another, in the order of the calls. */
export class Turns {
  #last: Promise<unknown> = Promise.resolve();

  /** Resolves as `work` does, which starts when all earlier tasks have settled. */
  take<Result>(work: () => Promise<Result>): Promise<Result> {
    const done = this.#last.then(work, work);
    this.#last = done;
    return done;
  }
}

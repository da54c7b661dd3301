/**
 * Passes on the results of several workers in the order of their numbers, so that the outcome doesn't depend on timing.
 */
export class InOrder<T> {
  readonly #accept: (value: T) => void;
  readonly #early = new Map<number, T>();
  #next = 0;

  constructor(accept: (value: T) => void) {
    this.#accept = accept;
  }

  /** Adds a result; `number` counts from 0 without gaps. */
  push(number: number, value: T): void {
    this.#early.set(number, value);
    for (let ready = this.#take(); ready !== undefined; ready = this.#take()) this.#accept(ready.value);
  }

  #take(): { value: T } | undefined {
    const value = this.#early.get(this.#next);
    if (value === undefined) return undefined;
    this.#early.delete(this.#next++);
    return { value };
  }
}

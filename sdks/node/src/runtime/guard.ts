/** Called with each failure of the client's own code. */
export type OnInternalError = (error: unknown) => void;

/** The type of {@link guarded}, with the client's own failure count. */
export type Guard = <Arguments extends readonly unknown[], Result>(
  run: (...args: Arguments) => Result,
  fallback: Result,
) => (...args: Arguments) => Result;

/**
 * Wraps a function that runs inside the host's calls: a failure in it is counted, and the host gets `fallback`. No
 * failure of the client's own code reaches the host.
 */
export function guarded<Arguments extends readonly unknown[], Result>(
  run: (...args: Arguments) => Result,
  fallback: Result,
  onInternalError: OnInternalError,
): (...args: Arguments) => Result {
  return (...args) => {
    try {
      return run(...args);
    } catch (error) {
      onInternalError(error);
      return fallback;
    }
  };
}

/** Counts the failures of the client's own code, which heartbeats report. */
export class InternalErrors {
  #count = 0;

  readonly add: OnInternalError = () => {
    this.#count += 1;
  };

  readonly guard: Guard = (run, fallback) => guarded(run, fallback, this.add);

  get count(): number {
    return this.#count;
  }
}

/** Told of every failure of the client's own code, so that none goes unseen. */
export type OnInternalError = (error: unknown) => void;

/**
 * Wraps a function that runs inside the host's calls: whatever goes wrong in it is counted, and `fallback` is what the
 * host gets. The one place where the client's own failures end.
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

/** A signal that is aborted by a timeout or by another signal, with its cleanup. */
export interface Deadline {
  readonly signal: AbortSignal;
  /** Whether the timeout has passed. */
  readonly isOver: boolean;
  /** Restarts the timeout. */
  extend(): void;
  clear(): void;
}

/** Combines `AbortSignal.any` and `AbortSignal.timeout`; Node 18 doesn't have `AbortSignal.any`. */
export function startDeadline(timeoutMs: number, outer?: AbortSignal): Deadline {
  const controller = new AbortController();
  let isOver = false;
  const end = (): void => {
    isOver = true;
    controller.abort();
  };
  const leave = (): void => controller.abort(outer?.reason);
  let timer = setTimeout(end, timeoutMs);
  if (outer?.aborted) leave();
  outer?.addEventListener("abort", leave, { once: true });
  return {
    signal: controller.signal,
    get isOver() {
      return isOver;
    },
    extend() {
      clearTimeout(timer);
      timer = setTimeout(end, timeoutMs);
    },
    clear() {
      clearTimeout(timer);
      outer?.removeEventListener("abort", leave);
    },
  };
}

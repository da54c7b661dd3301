/** A signal that fires at a time-out or with another signal, and what to do when it is needed no more. */
export interface Deadline {
  readonly signal: AbortSignal;
  /** Whether it was the time that ran out. */
  readonly isOver: boolean;
  /** Restarts the timeout. */
  extend(): void;
  clear(): void;
}

/** Like `AbortSignal.any` with `AbortSignal.timeout`; Node 18 doesn't have `AbortSignal.any`. */
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

import timers from "node:timers";

// Node's own, whatever a test has put in their place meanwhile: what waits for those would wait for ever.
const now = performance.now.bind(performance);

/** The timers of Node: the program's tests may count theirs, and run them until none is left. */
export const ownTimers: Pick<
  typeof timers,
  "setTimeout" | "clearTimeout" | "setInterval" | "clearInterval" | "setImmediate" | "clearImmediate"
> = { ...timers };

/** Milliseconds since some moment, never set back. */
export function elapsedMs(): number {
  return now();
}

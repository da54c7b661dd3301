import { vi } from "vitest";
import { ownTimers } from "../src/runtime/own-time.ts";

/**
 * Stops timers of a kind, the client's own as well, which the fake timers of a test don't reach: `vi.advanceTimersByTime`
 * has them go off. What this returns starts the clock again.
 */
export function stopClock(kind: "setInterval" | "setTimeout", now?: number): () => void {
  const own = { ...ownTimers };
  const end = kind === "setInterval" ? "clearInterval" : "clearTimeout";
  vi.useFakeTimers(now === undefined ? { toFake: [kind, end] } : { toFake: [kind, end, "Date"], now });
  Object.assign(ownTimers, { [kind]: globalThis[kind], [end]: globalThis[end] });
  return () => {
    vi.useRealTimers();
    Object.assign(ownTimers, own);
  };
}

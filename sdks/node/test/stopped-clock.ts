import { vi } from "vitest";
import { nativeTimers } from "../src/runtime/native-timers.ts";

/**
 * Stops timers of a kind, including the client's own, which a test's fake timers don't reach; `vi.advanceTimersByTime`
 * fires them. Returns a function that starts the clock again.
 */
export function stopClock(kind: "setInterval" | "setTimeout", now?: number): () => void {
  const own = { ...nativeTimers };
  const end = kind === "setInterval" ? "clearInterval" : "clearTimeout";
  vi.useFakeTimers(now === undefined ? { toFake: [kind, end] } : { toFake: [kind, end, "Date"], now });
  Object.assign(nativeTimers, { [kind]: globalThis[kind], [end]: globalThis[end] });
  return () => {
    vi.useRealTimers();
    Object.assign(nativeTimers, own);
  };
}

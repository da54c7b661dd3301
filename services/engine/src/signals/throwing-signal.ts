import { type AnyCodeSignal, kindOf } from "./signal.ts";

/** Returns the signal at the throw; undefined where the code there is unknown. */
export function throwingSignal(signals: readonly AnyCodeSignal[]): AnyCodeSignal | undefined {
  return signals.find(isThrowing);
}

/** Whether a signal is where the error was thrown. */
export function isThrowing(signal: AnyCodeSignal): boolean {
  return signal.steps === 0 && kindOf(signal).throws === "here";
}

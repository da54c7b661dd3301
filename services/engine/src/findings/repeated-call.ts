import type { ParsedFrame } from "./parsed-error.ts";

type Call = Pick<ParsedFrame, "file" | "line" | "function" | "origin">;

/** A call this often on a stack is a recursion's. */
const repeatsMin = 3;

/** Returns the calls that are on a stack as often as those of a recursion, by their place, the most frequent first. */
export function repeatedCalls<T>(calls: readonly T[], placeOf: (call: T) => string): readonly (readonly T[])[] {
  const byPlace = [...Map.groupBy(calls, placeOf).values()];
  return byPlace.filter(({ length }) => length >= repeatsMin).toSorted((left, right) => right.length - left.length);
}

/** Returns the call of own code that is on a stack most often, as in an endless recursion; null without one. */
export function repeatedCall(frames: readonly Call[]): Call | null {
  const own = frames.filter(({ origin }) => origin === "app");
  return repeatedCalls(own, ({ file, line }) => `${file}:${line}`)[0]?.[0] ?? null;
}

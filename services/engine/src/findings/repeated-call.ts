import type { ParsedFrame } from "./parsed-error.ts";

type Call = Pick<ParsedFrame, "file" | "line" | "function" | "origin">;

/** A call this often on a stack is a recursion's. */
const repeatsMin = 3;

/** Returns the calls that are on a stack as often as those of a recursion. */
export function repeatedCalls<T>(calls: readonly T[], placeOf: (call: T) => string): readonly T[] {
  return [...Map.groupBy(calls, placeOf).values()].filter(({ length }) => length >= repeatsMin).flat();
}

/** Returns the call of own code that is on a stack most often, as in an endless recursion; null without one. */
export function repeatedCall(frames: readonly Call[]): Call | null {
  const own = frames.filter(({ origin }) => origin === "app");
  const groups = Map.groupBy(own, ({ file, line }) => `${file}:${line}`);
  const [most = []] = [...groups.values()].toSorted((left, right) => right.length - left.length);
  return most.length >= repeatsMin ? (most[0] ?? null) : null;
}

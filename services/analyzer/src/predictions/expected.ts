import type { Spread } from "./look.ts";

/** Absence means something from here on: when this many events are expected, none occurs by chance in 5% of cases (Poisson: e⁻³ = 0.05). */
const tellingMin = 3;

type Counted = Pick<Spread[number], "failing" | "heartbeats">;

/** Returns the sum of the failures and heartbeats of several rows. */
export function sumOf(rows: readonly Counted[]): Counted {
  return {
    failing: rows.reduce((sum, { failing }) => sum + failing, 0),
    heartbeats: rows.reduce((sum, { heartbeats }) => sum + heartbeats, 0),
  };
}

/**
 * Returns how many failures processes with this many heartbeats would have had at the others' failures per heartbeat.
 * Heartbeats measure how long processes ran, however many there were. Null when the others sent none.
 */
export function expectedFailures(atRateOf: Counted, heartbeats: number): number | null {
  return atRateOf.heartbeats === 0 ? null : (atRateOf.failing / atRateOf.heartbeats) * heartbeats;
}

/** Returns whether the absence of failures means something. */
export function isTelling(expected: number | null): boolean {
  return expected !== null && expected >= tellingMin;
}

/** Returns why absence means nothing, for a `reason`. */
export function tooLittle(expected: number | null): string {
  if (expected === null)
    return "too little traffic to tell: without earlier heartbeats, there is no rate to expect failures at";
  return `too little traffic to tell: at the earlier rate, about ${amount(expected)} failures were expected, and at least ${tellingMin} are needed`;
}

/** Returns an expected number of failures, for a `reason`. */
export function amount(expected: number): string {
  return expected < 10 ? expected.toFixed(1) : String(Math.round(expected));
}

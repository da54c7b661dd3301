import type { Spread } from "./look.ts";

/**
 * Absence speaks from here on: where so many events were to be expected, none comes by chance in 5 % of cases (Poisson:
 * e⁻³ = 0.05).
 */
const tellingMin = 3;

type Counted = Pick<Spread[number], "failing" | "heartbeats">;

/** Failures and heartbeats of several rows together. */
export function sumOf(rows: readonly Counted[]): Counted {
  return {
    failing: rows.reduce((sum, { failing }) => sum + failing, 0),
    heartbeats: rows.reduce((sum, { heartbeats }) => sum + heartbeats, 0),
  };
}

/**
 * How many failures processes with so many heartbeats would have had, at the rate by heartbeat of others. Heartbeats
 * measure for how long processes ran, whatever their number. Null when the others had none.
 */
export function expectedFailures(atRateOf: Counted, heartbeats: number): number | null {
  return atRateOf.heartbeats === 0 ? null : (atRateOf.failing / atRateOf.heartbeats) * heartbeats;
}

/** Whether that none came says something. */
export function isTelling(expected: number | null): boolean {
  return expected !== null && expected >= tellingMin;
}

/** For a `reason`: why absence says nothing. */
export function tooLittle(expected: number | null): string {
  if (expected === null)
    return "too little traffic to tell: no heartbeats say for how long its processes ran before, so that nobody knows how many failures to expect";
  return `too little traffic to tell: at the rate so far ${amount(expected)} failures were to be expected, and absence speaks from ${tellingMin} on`;
}

/** For a `reason`. */
export function amount(expected: number): string {
  return expected < 10 ? expected.toFixed(1) : String(Math.round(expected));
}

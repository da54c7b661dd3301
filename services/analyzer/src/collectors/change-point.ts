/** The failures in one minute, and the exposure (1 in each minute when unknown). */
export interface RateMinute {
  readonly at: string;
  readonly failing: number;
  readonly exposure: number;
}

/** The shape of a rate over a window. Rates are events per unit of exposure. */
export type RateShape =
  /** No clear change. */
  | { readonly kind: "steady"; readonly rate: number }
  /** Clearly higher from `at` on. */
  | { readonly kind: "step"; readonly at: string; readonly before: number; readonly after: number }
  /** Clearly higher from `at` to `until`, then back to normal. */
  | {
      readonly kind: "spike";
      readonly at: string;
      readonly until: string;
      readonly before: number;
      readonly after: number;
    }
  /** A steady climb from about `before` to about `after`. */
  | { readonly kind: "growth"; readonly at: string; readonly before: number; readonly after: number };

/** A rise is reported when the rate is this many times the earlier one, */
const factorMin = 3;
/** with at least this many events in the rise, */
const eventsMin = 5;
/**
 * and when the likelihood ratio supports it: log odds, divided by the overdispersion, above the 99.9% bound of a maximum
 * over some hundred places (Worsley 1986, Biometrika 73).
 */
const evidenceMin = 8;
/** How much better than a step a climb must fit. */
const growthLead = 3;
const growthMinutesMin = 10;
/** A rate of zero counts as half an event over the whole time, so that a factor can be computed. */
const halfEvent = 0.5;

/**
 * Returns the shape of a rate by minutes, oldest first, including those without events. Counts are treated as Poisson
 * with their observed overdispersion, because failures occur in bursts, and a burst isn't a change.
 */
export function rateShape(minutes: readonly RateMinute[]): RateShape {
  const whole = sumsOf(minutes);
  const steady: RateShape = { kind: "steady", rate: rateOf(whole) };
  const rise = bestSplit(minutes);
  if (!rise) return steady;
  const before = minutes.slice(0, rise.index);
  const after = minutes.slice(rise.index);
  const dispersion = dispersionOf([before, after]);
  const [low, high] = [sumsOf(before), sumsOf(after)];
  const at = minutes[rise.index]?.at ?? "";
  const fall = bestFall(after);
  if (fall && isRise(low, sumsOf(after.slice(0, fall)), logRatio(low, sumsOf(after.slice(0, fall))) / dispersion)) {
    const [peak, rest] = [sumsOf(after.slice(0, fall)), sumsOf(after.slice(fall))];
    if (rateOf(peak) >= factorMin * rateOf(rest) && rateOf(rest) < factorMin * floorRate(low)) {
      return { kind: "spike", at, until: after[fall]?.at ?? "", before: rateOf(low), after: rateOf(peak) };
    }
  }
  if (!isRise(low, high, rise.evidence / dispersion)) return steady;
  const climb = climbOf(minutes);
  if (climb && minutes.length >= growthMinutesMin && climb.evidence - rise.evidence > growthLead * dispersion) {
    return { kind: "growth", at: minutes[0]?.at ?? at, before: climb.first, after: climb.last };
  }
  return { kind: "step", at, before: rateOf(low), after: rateOf(high) };
}

interface Sums {
  readonly failing: number;
  readonly exposure: number;
}

function sumsOf(minutes: readonly RateMinute[]): Sums {
  let failing = 0;
  let exposure = 0;
  for (const minute of minutes) {
    failing += minute.failing;
    exposure += minute.exposure;
  }
  return { failing, exposure };
}

function rateOf({ failing, exposure }: Sums): number {
  return exposure === 0 ? 0 : failing / exposure;
}

function floorRate({ failing, exposure }: Sums): number {
  return exposure === 0 ? 0 : Math.max(failing, halfEvent) / exposure;
}

function isRise(low: Sums, high: Sums, evidence: number): boolean {
  return high.failing >= eventsMin && rateOf(high) >= factorMin * floorRate(low) && evidence >= evidenceMin;
}

/** Returns the log likelihood ratio of two rates to one; 0 for no difference. */
function logRatio(low: Sums, high: Sums): number {
  const both = { failing: low.failing + high.failing, exposure: low.exposure + high.exposure };
  return logLikelihood(low) + logLikelihood(high) - logLikelihood(both);
}

function logLikelihood({ failing, exposure }: Sums): number {
  return failing === 0 || exposure === 0 ? 0 : failing * Math.log(failing / exposure);
}

/** Returns the minute at which a change to a higher rate explains the counts best. */
function bestSplit(minutes: readonly RateMinute[]): { index: number; evidence: number } | null {
  const whole = sumsOf(minutes);
  let before: Sums = { failing: 0, exposure: 0 };
  let best: { index: number; evidence: number } | null = null;
  for (const [index, minute] of minutes.entries()) {
    if (index > 0 && before.exposure > 0) {
      const after = { failing: whole.failing - before.failing, exposure: whole.exposure - before.exposure };
      const evidence = rateOf(after) > rateOf(before) ? logRatio(before, after) : 0;
      if (evidence > (best?.evidence ?? 0)) best = { index, evidence };
    }
    before = { failing: before.failing + minute.failing, exposure: before.exposure + minute.exposure };
  }
  return best;
}

/** Returns the minute at which a rise ends. */
function bestFall(minutes: readonly RateMinute[]): number | null {
  const split = bestSplit(minutes.toReversed());
  return split && split.evidence >= evidenceMin ? minutes.length - split.index : null;
}

/** Returns variance over mean around the rates of the segments, by Pearson's statistic; at least 1. */
function dispersionOf(segments: readonly (readonly RateMinute[])[]): number {
  let statistic = 0;
  let freedom = -segments.length;
  for (const segment of segments) {
    const rate = rateOf(sumsOf(segment));
    for (const { failing, exposure } of segment) {
      const expected = rate * exposure;
      if (expected === 0) continue;
      statistic += (failing - expected) ** 2 / expected;
      freedom += 1;
    }
  }
  return freedom > 0 ? Math.max(1, statistic / freedom) : 1;
}

const iterationsMax = 25;

/** Fits a steady climb: Poisson regression of the logarithm of the rate on time, by Newton's method. */
function climbOf(minutes: readonly RateMinute[]): { first: number; last: number; evidence: number } | null {
  const last = minutes.length - 1;
  const rate = rateOf(sumsOf(minutes));
  if (last < 1 || rate === 0) return null;
  let [level, slope] = [Math.log(rate), 0];
  const expected = (index: number): number =>
    (minutes[index]?.exposure ?? 0) * Math.exp(Math.min(50, level + slope * (index / last - 0.5)));
  for (let round = 0; round < iterationsMax; round++) {
    let [g0, g1, h00, h01, h11] = [0, 0, 0, 0, 0];
    for (const [index, { failing }] of minutes.entries()) {
      const [x, mean] = [index / last - 0.5, expected(index)];
      g0 += failing - mean;
      g1 += (failing - mean) * x;
      h00 += mean;
      h01 += mean * x;
      h11 += mean * x * x;
    }
    const determinant = h00 * h11 - h01 * h01;
    if (!(determinant > 0)) return null;
    const [stepLevel, stepSlope] = [(h11 * g0 - h01 * g1) / determinant, (h00 * g1 - h01 * g0) / determinant];
    level += stepLevel;
    slope += stepSlope;
    if (Math.abs(stepLevel) + Math.abs(stepSlope) < 1e-9) break;
  }
  let likelihood = 0;
  for (const [index, { failing, exposure }] of minutes.entries()) {
    const mean = expected(index);
    likelihood += (failing === 0 ? 0 : failing * Math.log(mean / exposure)) - mean;
  }
  const whole = sumsOf(minutes);
  const evidence = likelihood - (logLikelihood(whole) - whole.failing);
  if (!(slope > 0) || !Number.isFinite(evidence)) return null;
  return { first: Math.exp(level - slope / 2), last: Math.exp(level + slope / 2), evidence };
}

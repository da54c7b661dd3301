import type { Calibration } from "@whence/engine/ranking";

/** An answer of a model that wasn't trained on the case: the share of its first file, and whether that was right. */
export interface Answer {
  readonly share: number;
  readonly isRight: boolean;
  /** What it is calibrated by, such as `python/stack`. */
  readonly sight: string;
  /** Whether the error is thrown in its file, instead of raised by the runtime there. */
  readonly isThrown: boolean;
  readonly weight: number;
}

/** How far a sight may be from all others: the ridge of its own term, which few answers don't outweigh. */
const ridge = 1;
/** Rounds of Newton's method, each over all terms; the fit changes no more long before. */
const rounds = 200;
/** The curve is stored at so many equal steps. */
const steps = 20;
/** Keeps the logarithm of a share of 0 or 1 finite. */
const margin = 0.02;
const digits = 10_000;

/** How shares are to be read: in general, by sight, and where an error is thrown. */
interface Calibrations {
  readonly calibration: Calibration;
  readonly calibrations: Readonly<Record<string, Calibration>>;
  /** Added to the logarithm of the odds. */
  readonly thrown: number;
}

/**
 * Fits how often a share is right: a logistic curve of the share (Platt, 1999) with one slope, and terms for each sight
 * and for thrown errors. So a higher share is never less often right, and a sight of few answers stays near the others.
 */
export function fitCalibrations(answers: readonly Answer[]): Calibrations {
  const sights = [...new Set(answers.map(({ sight }) => sight))].sort();
  const rows = answers.map(({ share, sight, isThrown, isRight, weight }) => ({
    values: [1, oddsOf(share), Number(isThrown), ...sights.map((one) => Number(one === sight))],
    right: Number(isRight),
    weight,
  }));
  const terms = fitted(rows, sights.length + 3);
  const [general = 0, slope = 0, thrown = 0, ...own] = terms;
  const curve = (ofSight: number): Calibration => {
    const probability = Array.from({ length: steps + 1 }, (_, index) => index / steps);
    const said = probability.map((value) => logistic(general + ofSight + Math.max(0, slope) * oddsOf(value)));
    // What has no share isn't a candidate.
    const share = [0, ...said.slice(1)];
    return { probability, share: share.map(rounded) };
  };
  return {
    calibration: curve(0),
    calibrations: Object.fromEntries(sights.map((sight, index) => [sight, curve(own[index] ?? 0)])),
    thrown: rounded(thrown),
  };
}

interface Row {
  readonly values: readonly number[];
  readonly right: number;
  readonly weight: number;
}

/** Returns the terms of a logistic regression; the first one, which all rows have, has no ridge. */
function fitted(rows: readonly Row[], count: number): number[] {
  const terms = Array.from({ length: count }, () => 0);
  for (let round = 0; round < rounds; round++) {
    for (let term = 0; term < count; term++) {
      let slope = term === 0 ? 0 : -ridge * (terms[term] ?? 0);
      let curvature = term === 0 ? 0 : ridge;
      for (const { values, right, weight } of rows) {
        const value = values[term] ?? 0;
        if (value === 0) continue;
        const said = logistic(values.reduce((sum, one, index) => sum + one * (terms[index] ?? 0), 0));
        slope += weight * value * (right - said);
        curvature += weight * value * value * said * (1 - said);
      }
      if (curvature > 0) terms[term] = (terms[term] ?? 0) + slope / curvature;
    }
  }
  return terms;
}

function rounded(value: number): number {
  return Math.round(value * digits) / digits;
}

function oddsOf(share: number): number {
  return Math.log((share + margin) / (1 + margin - share));
}

function logistic(value: number): number {
  return 1 / (1 + Math.exp(-value));
}

import { type Calibration, viewOf } from "@whence/engine/ranking";

/** An answer of a model that wasn't trained on the case: the share of its first file, and whether that was right. */
export interface Answer {
  readonly share: number;
  readonly isRight: boolean;
  /** What it is calibrated by, such as `python/stack`. */
  readonly sight: string;
  /** Whether the error is thrown in its file, instead of raised by the runtime there. */
  readonly isThrown: boolean;
  /** The share of the stack's calls that are the project's, from 0 to 1. */
  readonly ownShare: number;
  /** How long its file is at least: the logarithm, to base 2, of its lines. */
  readonly knownLength: number;
  readonly weight: number;
}

/**
 * How far a language, a view of the code, or both may be from all others: the ridge of each one's term, which few answers
 * don't outweigh.
 */
const ridge = 10;
/** The same for thrown errors, which are alike in all. */
const ridgeOfThrown = 1;
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
  /** By sight: the same for the share of the stack's calls that are the project's. */
  readonly ownShare: Readonly<Record<string, number>>;
  /** By what is seen of the code: the same for the length of its file. */
  readonly knownLength: Readonly<Record<string, number>>;
}

/**
 * Fits how often a share is right: a logistic curve of the share (Platt, 1999) with one slope, and terms for each
 * language, view of the code, and both, for thrown errors, for how much of the stack is the project's, and for the
 * length of its file. So a higher share is never less often right, and a sight of few answers stays near those of its
 * language and its view.
 */
export function fitCalibrations(answers: readonly Answer[]): Calibrations {
  const sights = distinct(answers.map(({ sight }) => sight));
  const [languages, views] = [distinct(sights.map(languageOf)), distinct(sights.map(viewOf))];
  const rows = answers.map(({ share, sight, isThrown, ownShare, knownLength, isRight, weight }) => ({
    values: [
      ...[1, oddsOf(share), Number(isThrown)],
      ...sights.map((one) => (one === sight ? ownShare : 0)),
      ...views.map((one) => (one === viewOf(sight) ? knownLength : 0)),
      ...views.map((one) => Number(one === viewOf(sight))),
      ...languages.map((one) => Number(one === languageOf(sight))),
      ...sights.map((one) => Number(one === sight)),
    ],
    right: Number(isRight),
    weight,
  }));
  const ridges = [
    ...[0, 0, ridgeOfThrown],
    ...[...sights, ...views, ...views, ...languages, ...sights].map(() => ridge),
  ];
  const terms = fitted(rows, ridges);
  const [general = 0, slope = 0, thrown = 0, ...others] = terms;
  const named = (names: readonly string[], from: number): Record<string, number> =>
    Object.fromEntries(names.map((name, index) => [name, rounded(others[from + index] ?? 0)]));
  const ownShare = named(sights, 0);
  const knownLength = named(views, sights.length);
  const ofView = named(views, sights.length + views.length);
  const ofLanguage = named(languages, sights.length + 2 * views.length);
  const ofSight = named(sights, sights.length + 2 * views.length + languages.length);
  const termOf = (sight: string): number =>
    (ofSight[sight] ?? 0) + (ofView[viewOf(sight)] ?? 0) + (ofLanguage[languageOf(sight)] ?? 0);
  const curve = (added: number): Calibration => {
    const probability = Array.from({ length: steps + 1 }, (_, index) => index / steps);
    const said = probability.map((value) => logistic(general + added + Math.max(0, slope) * oddsOf(value)));
    // What has no share isn't a candidate.
    const share = [0, ...said.slice(1)];
    return { probability, share: share.map(rounded) };
  };
  return {
    calibration: curve(0),
    calibrations: Object.fromEntries(sights.map((sight) => [sight, curve(termOf(sight))])),
    thrown: rounded(thrown),
    ownShare,
    knownLength,
  };
}

function distinct(names: readonly string[]): string[] {
  return [...new Set(names)].sort();
}

function languageOf(sight: string): string {
  return sight.slice(0, sight.indexOf("/"));
}

interface Row {
  readonly values: readonly number[];
  readonly right: number;
  readonly weight: number;
}

/** Returns the terms of a logistic regression, each with its ridge. */
function fitted(rows: readonly Row[], ridges: readonly number[]): number[] {
  const terms = ridges.map(() => 0);
  for (let round = 0; round < rounds; round++) {
    for (const [term, held] of ridges.entries()) {
      let slope = -held * (terms[term] ?? 0);
      let curvature = held;
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

import type { Findings, Ranked, Ranking } from "../findings.ts";

/**
 * How sure the first candidate is, between 0 and 1: a base, and what each thing that was seen adds or takes away. Set by
 * judgement; `basis` says so in every report until it is calibrated against measured outcomes.
 */
export const confidenceWeights = {
  base: 0.12,
  /** The place is known, and its text was there to be read. */
  sourceSeen: 0.18,
  locationOnly: 0.08,
  knownFailure: 0.12,
  /** The first candidate's own score, and how far it stands before the second. */
  score: 0.3,
  lead: 0.6,
  leadMax: 0.25,
  /** Evidence of another kind than the error itself: a breadcrumb, telemetry, another file. */
  independentEvidence: 0.08,
  /** Something was seen that speaks against it. */
  contradicted: -0.08,
  noFrames: -0.12,
  noOwnFrame: -0.05,
} as const;

/** Until the model is calibrated, no report is surer or less sure than this. */
const scoreMin = 0.05;
const scoreMax = 0.85;

export function confidenceOf(findings: Findings, candidates: readonly Ranked[]): Ranking["confidence"] {
  const [first, second] = candidates;
  if (!first) return { score: scoreMin, basis: "Nothing was found that could be a cause. Not yet calibrated." };
  const parts = partsOf(findings, first, second);
  const sum = parts.reduce<number>((total, { worth }) => total + worth, confidenceWeights.base);
  const score = Math.round(Math.min(scoreMax, Math.max(scoreMin, sum)) * 100) / 100;
  const reasons = parts
    .filter(({ worth }) => worth !== 0)
    .map(({ worth, says }) => `${says} (${worth > 0 ? "+" : "−"}${Math.abs(worth).toFixed(2)})`);
  return {
    score,
    basis: `Rests on: ${reasons.join("; ") || "the text alone"}. The weights are set by judgement and not yet calibrated against outcomes.`,
  };
}

interface Part {
  readonly worth: number;
  readonly says: string;
}

function partsOf(findings: Findings, first: Ranked, second: Ranked | undefined): Part[] {
  const w = confidenceWeights;
  const hasFrames = findings.frames.length > 0;
  const isIndependent = first.evidence.some(({ source }) =>
    ["breadcrumb", "telemetry", "source_file", "integration"].includes(source.kind),
  );
  return [
    first.place
      ? { worth: w.sourceSeen, says: "the code at the place was read" }
      : { worth: first.location ? w.locationOnly : 0, says: "a place is named, its code was not there to read" },
    {
      worth: findings.signatures.length > 0 ? w.knownFailure : 0,
      says: `the failure is a known one (${findings.signatures[0]?.signature.id ?? ""})`,
    },
    { worth: round(first.score * w.score), says: "what the first candidate rests on" },
    {
      // To be the only candidate is no merit when no place is known.
      worth: first.location ? round(Math.min(w.leadMax, Math.max(0, first.score - (second?.score ?? 0)) * w.lead)) : 0,
      says: "its lead over the second",
    },
    { worth: isIndependent ? w.independentEvidence : 0, says: "evidence beside the error itself" },
    { worth: first.against.length > 0 ? w.contradicted : 0, says: "something speaks against it" },
    { worth: hasFrames ? 0 : w.noFrames, says: "no stack" },
    {
      worth: hasFrames && !findings.frames.some(({ frame }) => frame.origin === "app") ? w.noOwnFrame : 0,
      says: "no frame of the service's own code",
    },
  ];
}

function round(worth: number): number {
  return Math.round(worth * 100) / 100;
}

import type { Ranked, Ranking } from "../findings.ts";
import { inlineCode } from "../prose.ts";

/**
 * How likely it is that the first candidate names the right file, as logistic regression on investigations of known
 * outcome has it: the weights are log odds. How they came about, and how well they hold on cases that they were not
 * fitted to, is in docs/how-it-reasons.md; `node bench/rca/calibrate.ts` fits them anew.
 */
export const confidenceModel = {
  intercept: -1.92,
  /** Times the first candidate's score. */
  score: 2.79,
  /** Times its lead over the best candidate in another file, which counts up to `leadMax`. */
  lead: 1.77,
  leadMax: 0.4,
  /** When the code at the place was given. */
  codeRead: 1.48,
} as const;

/** The cases that it was fitted to are few: no report is surer or less sure than this. */
export const scoreMax = 0.9;
export const scoreMin = 0.05;
/** Without a place no file can be right. */
const noPlace = 0.1;

/** How many investigations of known outcome it was fitted to. */
const fittedTo = 203;

/** The probability that the first candidate names the right file, and in words what speaks for it and against it. */
export function confidenceOf(candidates: readonly Ranked[]): Ranking["confidence"] {
  const [first] = candidates;
  if (!first) return { score: scoreMin, basis: "Nothing was found that could be a cause." };
  if (!first.location && typeof first.service === "string") return ofService(first);
  if (!first.location) return { score: noPlace, basis: basisWithoutPlace(first) };
  const other = candidates.find(({ location }) => location !== null && location.file !== first.location?.file);
  const score = Math.round(probabilityOf(first, other) * 100) / 100;
  return { score, basis: basisOf(first, other, score) };
}

function probabilityOf(first: Ranked, other: Ranked | undefined): number {
  const { intercept, score, lead, leadMax, codeRead } = confidenceModel;
  const ahead = Math.min(leadMax, Math.max(0, first.score - (other?.score ?? 0)));
  const logOdds = intercept + score * first.score + lead * ahead + (first.place ? codeRead : 0);
  return Math.min(scoreMax, Math.max(scoreMin, 1 / (1 + Math.exp(-logOdds))));
}

/** Below this lead the second file is worth a look; above the other nothing comes near. */
const closeLead = 0.1;
const clearLead = 0.25;
const reasonsMax = 3;

function basisOf(first: Ranked, other: Ranked | undefined, score: number): string {
  const lead = first.score - (other?.score ?? 0);
  const rival = other?.location ? inlineCode(other.location.file) : "";
  const speaksFor = [
    ...first.support.slice(0, reasonsMax),
    ...(first.place ? ["the code at the place was read"] : []),
    ...(lead >= clearLead ? ["no other file comes near"] : []),
  ];
  const speaksAgainst = [
    ...first.against,
    ...(first.place || first.against.some((line) => line.includes("source was not given"))
      ? []
      : ["the code at the place was not given"]),
    ...(other && lead < closeLead ? [`${rival} is nearly as likely`] : []),
  ];
  const share = Math.round(score * 100);
  return [
    `${verdictOn(score)}: of 100 answers like this one about ${share} name the right file, as ${fittedTo} investigations of failures with a known cause went.`,
    `For it: ${speaksFor.join("; ")}.`,
    `Against it: ${speaksAgainst.length === 0 ? "nothing that was seen" : speaksAgainst.join("; ")}.`,
  ].join(" ");
}

function verdictOn(score: number): string {
  if (score >= 0.8) return "Probably right";
  if (score >= 0.6) return "More likely right than not";
  return score >= 0.4 ? "Even odds" : "A guess";
}

/** What the telemetry says of a service: no outcomes were fitted yet, so that its weight counts with a discount. */
const serviceDiscount = 0.75;

function ofService({ score, support, against }: Ranked): Ranking["confidence"] {
  const doubts = against.length === 0 ? "nothing that was seen" : against.join("; ");
  return {
    score: Math.round(score * serviceDiscount * 100) / 100,
    basis: `No place in code is known: this number is about the service, set by judgement and not yet fitted to outcomes. For it: ${support.join("; ")}. Against it: ${doubts}.`,
  };
}

function basisWithoutPlace({ support, against }: Ranked): string {
  return `No place in code is known, so that no file can be named; this number is about the place. What kind of failure it is rests on the words alone. For it: ${support.join("; ")}. Against it: ${against.join("; ")}.`;
}

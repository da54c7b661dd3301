import type { Ranked, Ranking } from "../findings.ts";

/**
 * How likely it is that the first candidate names the right file, as logistic regression on investigations of known
 * outcome has it: the weights are log odds. How they came about, and how well they hold on cases that they were not
 * fitted to, is in docs/how-it-reasons.md; `node bench/rca/calibrate.ts` fits them anew.
 */
export const confidenceModel = {
  intercept: -0.5,
  /** Times the first candidate's score. */
  score: 0.97,
  /** Times its lead over the best candidate in another file, which counts up to `leadMax`. */
  lead: 0.35,
  leadMax: 0.4,
  /** When the code at the place was given. */
  codeRead: 1.58,
} as const;

/** The cases that it was fitted to are few: no report is surer or less sure than this. */
export const scoreMax = 0.9;
export const scoreMin = 0.05;
/** Without a place no file can be right. */
const noPlace = 0.1;

export function confidenceOf(candidates: readonly Ranked[]): Ranking["confidence"] {
  const [first] = candidates;
  if (!first) return { score: scoreMin, basis: "Nothing was found that could be a cause." };
  if (!first.location)
    return { score: noPlace, basis: "No place in code is known: only the text of the error was read." };
  const { lead, parts } = partsOf(first, candidates);
  const logOdds = parts.reduce<number>((sum, { worth }) => sum + worth, confidenceModel.intercept);
  const score = Math.min(scoreMax, Math.max(scoreMin, 1 / (1 + Math.exp(-logOdds))));
  const said = parts.map(({ worth, says }) => `${says} (+${worth.toFixed(2)})`).join("; ");
  const close = lead < closeLead ? " Another file comes close." : "";
  return {
    score: Math.round(score * 100) / 100,
    basis: `Rests on: ${said}.${close} Calibrated on failures of known cause; the numbers are log odds.`,
  };
}

/** Below this lead the second file is worth a look. */
const closeLead = 0.1;

interface Part {
  readonly worth: number;
  readonly says: string;
}

function partsOf(first: Ranked, candidates: readonly Ranked[]): { lead: number; parts: Part[] } {
  const other = candidates.find(({ location }) => location !== null && location.file !== first.location?.file);
  const lead = Math.max(0, first.score - (other?.score ?? 0));
  const { score, lead: perLead, leadMax, codeRead } = confidenceModel;
  const parts = [
    { worth: score * first.score, says: `what the first candidate rests on, ${first.score.toFixed(2)}` },
    { worth: perLead * Math.min(leadMax, lead), says: `its lead over the next file, ${lead.toFixed(2)}` },
    ...(first.place ? [{ worth: codeRead, says: "the code at the place was read" }] : []),
  ];
  return { lead, parts };
}

import type { Report, Solution } from "@whence/protocol";
import type { EvidenceBook } from "../evidence-book.ts";
import type { Findings, Ranked, Ranking } from "../findings.ts";
import { citation, fill } from "../prose.ts";
import { analyse } from "./analysis.ts";
import { impactOf } from "./impact.ts";
import { predict } from "./predictions.ts";
import { solve } from "./solutions.ts";
import { timelineOf } from "./timeline.ts";

/** The parts of a report that are written for people, every statement with what it rests on. */
export type Explanation = Pick<
  Report,
  | "root_cause_summary"
  | "root_cause"
  | "candidates"
  | "detailed_analysis"
  | "short_term_solutions"
  | "long_term_solutions"
  | "timeline"
  | "impact"
  | "predictions"
>;

/** A sentence cites the strongest of a candidate's evidence; all of it stands with the candidate. */
const citedPerSentenceMax = 3;

/** Words the ranking. The same findings give the same words; predictions begin at `now`, milliseconds since 1970. */
export function explain(
  findings: Findings,
  { candidates, confidence }: Ranking,
  book: EvidenceBook,
  now: number,
): Explanation {
  const withEvidence = candidates.map((candidate) => ({ candidate, ids: idsOf(candidate, book) }));
  const cited = withEvidence.map(({ candidate, ids }) => ({ candidate, ids: ids.slice(0, citedPerSentenceMax) }));
  const first = cited[0];
  const solutions = first ? solve(findings, first.candidate, first.ids) : { shortTerm: [], longTerm: [] };
  return {
    root_cause_summary: summary(findings, first, confidence.score),
    root_cause: {
      category: first?.candidate.category ?? "unknown",
      statement: first ? `${first.candidate.statement} ${citation(first.ids)}` : "",
      location: first?.candidate.location ?? null,
      service: first ? serviceOf(first.candidate, findings) : null,
    },
    candidates: withEvidence.map(({ candidate, ids }, index) => ({
      rank: index + 1,
      category: candidate.category,
      statement: candidate.statement,
      location: candidate.location,
      service: serviceOf(candidate, findings),
      score: Math.round(candidate.score * 100) / 100,
      evidence_ids: ids,
      support: [...candidate.support],
      against: [...candidate.against],
    })),
    detailed_analysis: analyse(findings, cited, book),
    short_term_solutions: [...solutions.shortTerm] satisfies Solution[],
    long_term_solutions: [...solutions.longTerm],
    timeline: timelineOf(findings, book),
    impact: impactOf(findings),
    predictions: predict(findings, candidates, now),
  };
}

/** A candidate and the ids of its evidence. */
export interface Cited {
  readonly candidate: Ranked;
  readonly ids: readonly string[];
}

/** Below this the summary says that it is a guess. */
const unsureBelow = 0.4;

function serviceOf({ service }: Ranked, { event, incident }: Findings): string | null {
  return service === undefined ? (event?.service ?? incident.service) : service;
}

function idsOf(candidate: Ranked, book: EvidenceBook): string[] {
  return [...new Set(candidate.evidence.map((observation) => book.cite(observation)))];
}

/** What failed and why, in one or two sentences; how sure that is when it is not. */
function summary(findings: Findings, first: Cited | undefined, confidence: number): string {
  if (!first) return "";
  const { candidate, ids } = first;
  const known = findings.signatures[0];
  if (!candidate.location) {
    const place = known ? " Where in the code it was made is not known." : "";
    return `${candidate.statement}${place} ${citation(ids)}`;
  }
  const lead = confidence < unsureBelow ? "Not sure; the likeliest place to look at: " : "";
  // A frame tells where and not why.
  const meaning = candidate.clue === null && known ? ` ${fill(known.signature.meaning, known.groups)}` : "";
  return `${lead}${candidate.statement}${meaning} ${citation(ids)}`;
}

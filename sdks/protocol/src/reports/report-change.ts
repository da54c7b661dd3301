import type { Report } from "./report.ts";

/** What a later version of a report says differently. */
export interface ReportChange {
  /** Another category, file, function, or service of the first candidate. */
  readonly cause: boolean;
  /** In percent. */
  readonly confidence: Change;
  /** Pieces of evidence. */
  readonly evidence: Change;
  /** The summary or the causal chain reads differently. */
  readonly wording: boolean;
}

export interface Change {
  readonly before: number;
  readonly after: number;
}

/** Compares two versions of a report. */
export function compareReports(before: Report, after: Report): ReportChange {
  return {
    cause: causeOf(before) !== causeOf(after),
    confidence: { before: percent(before), after: percent(after) },
    evidence: { before: before.evidence.length, after: after.evidence.length },
    wording: wordsOf(before) !== wordsOf(after),
  };
}

/** Whether the later version says anything that the earlier one didn't, impact aside. */
export function hasChanged({ cause, confidence, evidence, wording }: ReportChange): boolean {
  return cause || wording || confidence.before !== confidence.after || evidence.before !== evidence.after;
}

/** Compared without the line: a cause is still the same when code above it moved. */
function causeOf({ root_cause: cause, candidates: [first] }: Report): string {
  const { file = null, function: name = null } = first?.location ?? cause.location ?? {};
  return JSON.stringify([first?.category ?? cause.category, file, name, first?.service ?? cause.service ?? null]);
}

function percent({ confidence }: Report): number {
  return Math.round(confidence.score * 100);
}

function wordsOf({ root_cause_summary: summary, chain }: Report): string {
  return JSON.stringify([summary, chain.map(({ what }) => what)]);
}

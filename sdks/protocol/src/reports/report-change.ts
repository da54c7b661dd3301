import type { Report } from "./report.ts";

/** The differences between two versions of a report. */
export interface ReportChange {
  /** Whether the first candidate's category, file, function, or service changed. */
  readonly cause: boolean;
  /** In percent. */
  readonly confidence: Change;
  /** The number of pieces of evidence. */
  readonly evidence: Change;
  /** Whether the summary or the causal chain is worded differently. */
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

/** Whether the later version differs from the earlier one in anything but the impact. */
export function hasChanged({ cause, confidence, evidence, wording }: ReportChange): boolean {
  return cause || wording || confidence.before !== confidence.after || evidence.before !== evidence.after;
}

/** Identifies a cause without its line: it stays the same when code above it moves. */
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

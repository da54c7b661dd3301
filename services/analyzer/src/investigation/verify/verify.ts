import { type BrokenCitation, citedIds, type Evidence, type Report, utf8Length, verifyReport } from "@whence/protocol";
import type { SourceText } from "../source-text.ts";

/** A report that holds, and what had to be left out of it. */
export interface Verified {
  readonly report: Report;
  readonly dropped: readonly BrokenCitation[];
}

/**
 * Checks every statement and every piece of evidence, and drops what does not hold: evidence whose excerpt is not in
 * its source, and whatever cites evidence that is not there. What is left satisfies `verifyReport`, save for prose that
 * cannot be dropped; that is for the caller to check.
 */
export function verify(report: Report, sources: readonly SourceText[]): Verified {
  const bySha = new Map(sources.map((source) => [source.sha256, source]));
  const broken = report.evidence.flatMap((evidence) =>
    problemsOf(evidence, bySha).map((problem) => ({ where: evidence.id, problem })),
  );
  const bad = new Set(broken.map(({ where }) => where));
  const known = new Set(report.evidence.map(({ id }) => id).filter((id) => !bad.has(id)));
  const holds = (ids: readonly string[]): boolean => ids.length > 0 && ids.every((id) => known.has(id));
  const kept: Report = {
    ...report,
    evidence: report.evidence.filter(({ id }) => known.has(id)),
    candidates: report.candidates
      .filter(({ evidence_ids: ids }) => holds(ids))
      .map((candidate, index) => ({ ...candidate, rank: index + 1 })),
    short_term_solutions: report.short_term_solutions.filter(({ evidence_ids: ids }) => holds(ids)),
    long_term_solutions: report.long_term_solutions.filter(({ evidence_ids: ids }) => holds(ids)),
    timeline: report.timeline.filter(({ evidence_id: id }) => known.has(id)),
    detailed_analysis: withoutBrokenLines(report.detailed_analysis, known),
  };
  return { report: kept, dropped: [...broken, ...verifyReport(kept)] };
}

function problemsOf({ id, excerpt, range, sha256 }: Evidence, sources: ReadonlyMap<string, SourceText>): string[] {
  if (!range) return [];
  if (range.end - range.start !== utf8Length(excerpt)) return [`${id}: its range is not as long as its excerpt`];
  const source = sources.get(sha256);
  if (!source) return [];
  const bytes = Buffer.from(source.text, "utf8").subarray(range.start, range.end).toString("utf8");
  return bytes === excerpt ? [] : [`${id}: its excerpt is not what its source has there`];
}

function withoutBrokenLines(markdown: string, known: ReadonlySet<string>): string {
  return markdown
    .split("\n")
    .filter((line) => citedIds(line).every((id) => known.has(id)))
    .join("\n");
}

import { type BrokenCitation, citedIds, type Evidence, type Report, utf8Length, verifyReport } from "@whence/protocol";
import type { SourceText } from "../source-text.ts";

/** A report that holds, and what had to be left out of it. */
export interface Verified {
  readonly report: Report;
  readonly dropped: readonly BrokenCitation[];
}

/**
 * Checks every statement and every piece of evidence, and drops what does not hold: evidence whose excerpt is not in
 * its source or not at its lines, and whatever cites evidence that is not there. What is left satisfies `verifyReport`, save for prose that
 * cannot be dropped; that is for the caller to check.
 */
export function verify(report: Report, sources: readonly SourceText[]): Verified {
  const bySha = Map.groupBy(sources, ({ sha256 }) => sha256);
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

function problemsOf(
  { id, excerpt, range, sha256, first_line: line }: Evidence,
  sources: ReadonlyMap<string, readonly SourceText[]>,
): string[] {
  if (!range) return [];
  if (range.end - range.start !== utf8Length(excerpt)) return [`${id}: its range is not as long as its excerpt`];
  const same = sources.get(sha256) ?? [];
  const [source] = same;
  if (!source) return [];
  const bytes = Buffer.from(source.text, "utf8");
  if (bytes.subarray(range.start, range.end).toString("utf8") !== excerpt) {
    return [`${id}: its excerpt is not what its source has there`];
  }
  if (line === undefined) return [];
  // Windows into files may have the same text and begin at different lines.
  const start = bytes.subarray(0, range.start).toString("utf8").length;
  return same.some((one) => one.lineAt(start) === line) ? [] : [`${id}: its excerpt does not begin on line ${line}`];
}

function withoutBrokenLines(markdown: string, known: ReadonlySet<string>): string {
  return markdown
    .split("\n")
    .filter((line) => citedIds(line).every((id) => known.has(id)))
    .join("\n");
}

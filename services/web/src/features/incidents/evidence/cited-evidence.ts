import { doNow, type Evidence, type Report } from "@whence/protocol";
import { splitCitations } from "../citations.ts";

/** Returns the evidence that the page of a report cites, each piece once, in its order. */
export function citedEvidence(report: Report): Evidence[] {
  const { chain, candidates, long_term_solutions: later, predictions } = report;
  const now = [...doNow(report), ...report.short_term_solutions];
  const prose = [
    report.root_cause_summary,
    report.root_cause.statement,
    report.impact.summary,
    ...candidates.flatMap(({ statement, support, against }) => [statement, ...support, ...against]),
    ...[...now, ...later].flatMap(({ title, detail }) => [title, detail]),
    ...predictions.flatMap(({ statement, check, result }) => [statement, check, result?.reason ?? ""]),
    ...report.not_checked,
  ];
  const listed = [...chain, ...candidates, ...now, ...later].flatMap(({ evidence_ids: ids }) => ids);
  const inProse = prose.flatMap(splitCitations).flatMap((piece) => ("cites" in piece ? [piece.cites] : []));
  const cited = new Set([...listed, ...inProse, ...(report.patch?.evidence_ids ?? [])]);
  return report.evidence.filter(({ id }) => cited.has(id));
}

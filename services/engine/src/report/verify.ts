import {
  type BrokenCitation,
  citedIds,
  type Evidence,
  type Report,
  type Solution,
  utf8Length,
  verifyReport,
} from "@whence/protocol";
import type { SourceText } from "../source/source-text.ts";
import {
  contradictions,
  factProblems,
  falseLines,
  type Known,
  sentenceProblem,
  supportsRollback,
  Truth,
  unnamedVendor,
} from "./truth.ts";

/** A verified report, and what was dropped from it. */
export interface Verified {
  readonly report: Report;
  readonly dropped: readonly BrokenCitation[];
}

/**
 * Checks every piece of evidence and every sentence, and drops what doesn't hold: evidence whose excerpt isn't in its
 * source or whose fact is impossible; sentences that cite missing evidence, or contain a time or number that can't be
 * recomputed from the evidence they cite. The rest satisfies `verifyReport`, except for prose that can't be dropped,
 * which the caller must check.
 */
export function verify(report: Report, sources: readonly SourceText[], known?: Known): Verified {
  const bySha = new Map([...Map.groupBy(sources, ({ sha256 }) => sha256)].map(([sha, same]) => [sha, quotable(same)]));
  const broken = report.evidence.flatMap((evidence) => {
    const fact = known?.facts.get(evidence.id);
    const problems = [...problemsOf(evidence, bySha), ...(fact ? factProblems(fact, evidence.excerpt) : [])];
    return problems.map((problem) => ({ where: evidence.id, problem }));
  });
  const bad = new Set(broken.map(({ where }) => where));
  const evidence = report.evidence.filter(({ id }) => !bad.has(id));
  const cited = withoutBrokenCitations({ ...report, evidence });
  const { report: kept, dropped } = known
    ? withoutFalsehoods(cited, new Truth(evidence, known), known)
    : { report: cited, dropped: [] };
  return { report: kept, dropped: [...broken, ...dropped, ...verifyReport(kept)] };
}

function withoutBrokenCitations({ patch, ...report }: Report): Report {
  const known = new Set(report.evidence.map(({ id }) => id));
  const holds = (ids: readonly string[]): boolean => ids.length > 0 && ids.every((id) => known.has(id));
  const chain = report.chain.filter(({ evidence_ids: ids }) => holds(ids));
  return {
    ...report,
    ...(patch && holds(patch.evidence_ids) && { patch }),
    chain: chain.length > 0 ? chain : report.chain,
    candidates: report.candidates
      .filter(({ evidence_ids: ids }) => holds(ids))
      .map((candidate, index) => ({ ...candidate, rank: index + 1 })),
    short_term_solutions: report.short_term_solutions.filter(({ evidence_ids: ids }) => holds(ids)),
    long_term_solutions: report.long_term_solutions.filter(({ evidence_ids: ids }) => holds(ids)),
    timeline: report.timeline.filter(({ evidence_id: id }) => known.has(id)),
    detailed_analysis: withoutLines(report.detailed_analysis, (line) => citedIds(line).some((id) => !known.has(id))),
  };
}

function withoutFalsehoods(report: Report, truth: Truth, { facts }: Known): Verified {
  const dropped: BrokenCitation[] = [];
  const holds = (where: string, sentence: string, ids: readonly string[] | null): boolean => {
    const [figure] = truth.unsupported(sentence, ids);
    const problem =
      figure === undefined ? sentenceProblem(sentence) : `states ${figure}, which its evidence doesn't have`;
    if (problem !== null) dropped.push({ where, problem });
    return problem === null;
  };
  const isAttributed = (where: string, sentence: string, ids: readonly string[]): boolean => {
    const vendor = unnamedVendor(sentence, ids, facts);
    if (vendor !== null) dropped.push({ where, problem: `cites ${vendor} without naming it` });
    return vendor === null;
  };
  // Advice has numbers of its own, such as status codes; only its times are about this failure.
  const isTimely = (where: string, one: Solution): boolean => {
    const { title, detail, evidence_ids: ids } = one;
    if (!supportsRollback(one, facts)) {
      dropped.push({ where, problem: "rolls back a release that its evidence doesn't suspect" });
      return false;
    }
    const time = truth.unsupported(`${title} ${detail}`, ids).find((figure) => figure.includes("T"));
    if (time !== undefined) dropped.push({ where, problem: `states ${time}, which its evidence doesn't have` });
    return time === undefined && isAttributed(where, `${title} ${detail}`, ids);
  };
  const chain = report.chain.filter(
    ({ what, evidence_ids: ids }, index) =>
      holds(`chain[${index}]`, what, ids) && isAttributed(`chain[${index}]`, what, ids),
  );
  const lines = new Set(falseLines(report, truth));
  for (const line of lines) dropped.push({ where: "detailed_analysis", problem: line });
  const refuted = contradictions(report);
  const kept: Report = {
    ...report,
    root_cause_summary: truthful(report, (sentence) => holds("root_cause_summary", sentence, null)),
    chain: chain.length > 0 ? chain : report.chain,
    candidates: report.candidates
      .filter(({ statement, evidence_ids: ids }, index) => holds(`candidates[${index}]`, statement, ids) || index === 0)
      .map((candidate, index) => ({
        ...candidate,
        rank: index + 1,
        support: candidate.support.filter((one) => holds(`candidates[${index}].support`, one, null)),
        against: candidate.against.filter((one) => holds(`candidates[${index}].against`, one, null)),
      })),
    short_term_solutions: report.short_term_solutions.filter((one, index) =>
      isTimely(`short_term_solutions[${index}]`, one),
    ),
    long_term_solutions: report.long_term_solutions.filter((one, index) =>
      isTimely(`long_term_solutions[${index}]`, one),
    ),
    timeline: report.timeline.filter(
      ({ what, evidence_id: id }, index) =>
        holds(`timeline[${index}]`, what, [id]) && isAttributed(`timeline[${index}]`, what, [id]),
    ),
    predictions: report.predictions.filter(
      (_, index) => !refuted.some(({ where }) => where === `predictions[${index}]`),
    ),
    impact: {
      ...report.impact,
      summary: sentencesOf(report.impact.summary)
        .filter((one) => holds("impact", one, null))
        .join(" "),
    },
    detailed_analysis: withoutLines(report.detailed_analysis, (line) => lines.has(line)),
  };
  return { report: kept, dropped: [...dropped, ...refuted] };
}

/** Returns the headline's sentences that hold; the statement of the root cause when none does. */
function truthful(
  { root_cause_summary: summary, root_cause: cause }: Report,
  holds: (sentence: string) => boolean,
): string {
  const [citation = ""] = /\[e\d+(?:, ?e\d+)*\]$/.exec(summary) ?? [];
  const kept = sentencesOf(summary.slice(0, summary.length - citation.length).trim()).filter(holds);
  return kept.length === 0 ? cause.statement : `${kept.join(" ")} ${citation}`.trim();
}

/** Splits after a full stop that is followed by a capital letter or code. */
function sentencesOf(text: string): string[] {
  return text.split(/(?<=[.!?]) (?=[A-Z0-9`])/);
}

/** Sources with the same text, and its bytes, which are encoded once. */
interface Quotable {
  readonly same: readonly SourceText[];
  readonly bytes: Buffer;
}

function quotable(same: readonly SourceText[]): Quotable {
  return { same, bytes: Buffer.from(same[0]?.text ?? "", "utf8") };
}

function problemsOf(
  { id, excerpt, range, sha256, first_line: line }: Evidence,
  sources: ReadonlyMap<string, Quotable>,
): string[] {
  if (!range) return [];
  if (range.end - range.start !== utf8Length(excerpt)) return [`${id}: its range is not as long as its excerpt`];
  const source = sources.get(sha256);
  if (!source) return [];
  const { same, bytes } = source;
  if (bytes.subarray(range.start, range.end).toString("utf8") !== excerpt) {
    return [`${id}: its excerpt is not what its source has there`];
  }
  if (line === undefined) return [];
  // Excerpts of files may have the same text and begin at different lines.
  const start = bytes.subarray(0, range.start).toString("utf8").length;
  return same.some((one) => one.lineAt(start) === line) ? [] : [`${id}: its excerpt does not begin on line ${line}`];
}

/** Returns a text without some of its lines, and without a section that has no other. */
function withoutLines(markdown: string, isDropped: (line: string) => boolean): string {
  const isEmpty = (section: string): boolean => /^## [^\n]*$/.test(section.trim());
  return markdown
    .split(/\n\n(?=## )/)
    .flatMap((section) => {
      const lines = section.split("\n");
      const kept = lines.filter((line) => !isDropped(line));
      const text = kept.join("\n");
      return kept.length < lines.length && isEmpty(text) ? [] : [text];
    })
    .join("\n\n");
}

import type { Evidence, Report } from "@whence/protocol";
import { steps } from "../message-parts.ts";
import type { Answer } from "./answer.ts";
import type { Question } from "./question.ts";
import { quotesOf } from "./quotes.ts";
import { termsOf } from "./terms.ts";

type Kind = Evidence["source"]["kind"];

/** The kinds of evidence that a question's words ask for, by stem; the most informative first. */
const kindsAsked: Readonly<Record<string, readonly Kind[]>> = {
  log: ["error_log", "exception", "integration", "breadcrumb"],
  messag: ["exception", "error_log", "integration"],
  error: ["exception", "error_log"],
  stacktrac: ["exception", "error_log", "stack_frame"],
  backtrac: ["exception", "error_log", "stack_frame"],
  trac: ["exception", "error_log", "stack_frame"],
  breadcrumb: ["breadcrumb"],
  request: ["request", "breadcrumb"],
  cod: ["source_file"],
  source: ["source_file"],
  metric: ["telemetry", "integration"],
  telemetr: ["telemetry"],
};

/** Quotes the evidence that a question asks for; without anything specific, the basis of the causal chain. */
export function quotedEvidence(report: Report, { text }: Question): Answer | null {
  const { evidence, chain } = report;
  const kinds = termsOf(text).flatMap(({ parts }) => kindsAsked[parts.join("")] ?? []);
  const cited = chain.flatMap(({ evidence_ids: ids }) => ids);
  const asked = kinds.flatMap((kind) => evidence.filter(({ source }) => source.kind === kind)).map(({ id }) => id);
  const ids = kinds.length === 0 ? cited : asked;
  const quotes = quotesOf(report, ids);
  if (quotes.length === 0) return null;
  const shown = new Set([...new Set(ids)].slice(0, quotes.length));
  return {
    headline: `The report has ${evidence.length} ${evidence.length === 1 ? "piece" : "pieces"} of evidence.`,
    parts: [
      ...quotes,
      ...steps(
        "Also in the report",
        evidence.filter(({ id }) => !shown.has(id)).map(({ summary }) => summary),
      ),
    ],
  };
}

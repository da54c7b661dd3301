import type { Report } from "@whence/protocol";
import type { EvidenceBook } from "../evidence-book.ts";
import type { Findings } from "../findings.ts";
import { observeBreadcrumb, observeException, observeRequest, observeText } from "../observe.ts";
import { describeBreadcrumb } from "./analysis.ts";

const breadcrumbsMax = 20;

/** What happened, oldest first, each entry with its evidence. */
export function timelineOf(findings: Findings, book: EvidenceBook): Report["timeline"] {
  const { event, error } = findings;
  const first = error.exceptions[error.chain[0] ?? -1];
  const failure = first ? observeException(findings, first) : observeText(findings);
  const entries = [
    ...breadcrumbs(findings, book),
    ...findings.observations.filter(isMoment).map((observation) => ({
      at: observation.observed_at,
      what: observation.summary,
      evidence_id: book.cite(observation),
    })),
    {
      at: findings.observedAt,
      what: event ? failure.summary : `handed in for analysis: ${failure.summary}`,
      evidence_id: book.cite(failure),
    },
  ];
  const request = event ? observeRequest(event) : null;
  if (request) entries.push({ at: request.observed_at, what: request.summary, evidence_id: book.cite(request) });
  return entries.toSorted((left, right) => Date.parse(left.at) - Date.parse(right.at));
}

/** That something was seen once, now, is the failure itself. */
function isMoment({ fact }: Findings["observations"][number]): boolean {
  if (fact?.kind === "totals") return fact.impact.events > 1;
  if (fact?.kind === "rate") return fact.rate.at !== null && fact.rate.shape !== "first";
  return fact?.kind !== "concentration" && fact?.kind !== "similar-incident";
}

function breadcrumbs({ event }: Findings, book: EvidenceBook): Report["timeline"] {
  if (!event) return [];
  const from = Math.max(0, event.breadcrumbs.length - breadcrumbsMax);
  return event.breadcrumbs.slice(from).flatMap((breadcrumb, offset) => {
    const what = describeBreadcrumb(event, from + offset);
    const observed = observeBreadcrumb(event, from + offset, what);
    return observed ? [{ at: breadcrumb.timestamp, what, evidence_id: book.cite(observed) }] : [];
  });
}

import type { Report } from "@whence/protocol";
import type { EvidenceBook } from "../evidence-book.ts";
import type { Findings, LogRecord } from "../findings.ts";
import { logStoryOf } from "../log-story.ts";
import {
  observeAlert,
  observeBreadcrumb,
  observeException,
  observeRecord,
  observeRequest,
  observeText,
} from "../observe.ts";
import { describeBreadcrumb } from "./analysis.ts";
import { sayAlert, sayRepeated, saySetting } from "./log-lines.ts";

const breadcrumbsMax = 20;

/** What happened, oldest first, each entry with its evidence. */
export function timelineOf(findings: Findings, book: EvidenceBook): Report["timeline"] {
  const { event } = findings;
  const entries = [
    ...breadcrumbs(findings, book),
    ...findings.observations.filter(isMoment).map((observation) => ({
      at: observation.observed_at,
      what: observation.summary,
      evidence_id: book.cite(observation),
    })),
    ...(event ? [] : logged(findings, book)),
    failure(findings, book),
  ];
  const request = event ? observeRequest(event) : null;
  if (request) entries.push({ at: request.observed_at, what: request.summary, evidence_id: book.cite(request) });
  return entries.toSorted((left, right) => Date.parse(left.at) - Date.parse(right.at));
}

type Entry = Report["timeline"][number];

/** The failure at the time that is known: its own, the log's, the alert's, or when it was handed in. */
function failure(findings: Findings, book: EvidenceBook): Entry {
  const { error, event, observedAt } = findings;
  const first = error.exceptions[error.chain[0] ?? -1];
  const observed = first ? observeException(findings, first) : observeText(findings);
  const evidence_id = book.cite(observed);
  const at = event ? observedAt : (logStoryOf(findings).failedAt ?? (first ? null : (error.alert?.startedAt ?? null)));
  return at === null
    ? { at: observedAt, what: `handed in for analysis: ${observed.summary}`, evidence_id }
    : { at, what: observed.summary, evidence_id };
}

/** What the log says with a time: the last setting, what was warned of before, the last of several failures. */
function logged(findings: Findings, book: EvidenceBook): Entry[] {
  const { setting, warnings, failure: failed, failedAt, lastFailedAt, failures } = logStoryOf(findings);
  const { alert, chain } = findings.error;
  const entry = (record: LogRecord, at: string, what: string): Entry => ({
    at,
    what,
    evidence_id: book.cite(observeRecord(findings, record, what)),
  });
  return [
    ...(setting?.at ? [entry(setting, setting.at, saySetting(setting))] : []),
    ...warnings.flatMap((warning) =>
      warning.first.at === null ? [] : [entry(warning.first, warning.first.at, sayRepeated(warning))],
    ),
    ...(failed && lastFailedAt !== null && lastFailedAt !== failedAt
      ? [entry(failed, lastFailedAt, `the same for the last of ${failures} times`)]
      : []),
    ...(alert?.startedAt && chain.length > 0
      ? [{ at: alert.startedAt, what: sayAlert(alert), evidence_id: book.cite(observeAlert(findings, alert)) }]
      : []),
  ];
}

/** That something was seen once, now, is the failure itself; what is a matter of shares or of long ago is no moment. */
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

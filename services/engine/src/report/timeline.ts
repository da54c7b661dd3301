import type { Report } from "@whence/protocol";
import type { Findings } from "../findings/findings.ts";
import { summarizeLog } from "../findings/log-summary.ts";
import type { Observation } from "../findings/observation.ts";
import {
  observeAlert,
  observeBreadcrumb,
  observeException,
  observeRecord,
  observeRequest,
  observeText,
} from "../findings/observe-input.ts";
import { ofKind } from "../findings/of-kind.ts";
import { tellingBreadcrumbs } from "../findings/request-log.ts";
import { relatedFindings } from "../outside/related-findings.ts";
import { type AnyFact, isMoment, withShownPaths } from "../signals/fact.ts";
import type { LogRecord } from "../signals/inputs/record.ts";
import type { EvidenceBook } from "./evidence-book.ts";
import type { Messages } from "./messages.en.ts";
import type { ReportInput } from "./report-input.ts";

const breadcrumbsMax = 20;
const processesMax = 10;
const unrelatedMax = 5;

type Entry = Report["timeline"][number];

/** Returns what happened, oldest first, each entry with its evidence. */
export function timelineOf({ findings, book, messages, shown: path }: ReportInput): Entry[] {
  const { event } = findings;
  const shown = (observation: Observation<AnyFact>): Entry => ({
    at: observation.observed_at,
    what: messages.evidence(withShownPaths(observation.fact, path)),
    evidence_id: book.cite(observation),
  });
  const request = event ? observeRequest(event) : null;
  const entries = [
    ...breadcrumbs(findings).map(shown),
    ...findings.observations.filter(({ fact }) => isMoment(fact)).map(shown),
    ...outsideMoments(findings).map(shown),
    ...(event ? [] : logged(findings, book, messages)),
    ...(findings.exit ? processTimes(findings, book, messages) : [failure(findings, book, messages)]),
    ...(request ? [shown(request)] : []),
  ];
  return entries.toSorted((left, right) => Date.parse(left.at) - Date.parse(right.at));
}

/** Returns the failure at the best known time: its own, the log's, the alert's, or when it was pasted. */
function failure(findings: Findings, book: EvidenceBook, messages: Messages): Entry {
  const { error, event, about, observedAt } = findings;
  const first = error.exceptions[error.chain[0] ?? -1];
  const observed = first ? observeException(findings, first) : observeText(findings);
  const what = messages.evidence(observed.fact);
  const evidence_id = book.cite(observed);
  const said = summarizeLog(findings).failedAt ?? (first ? null : (error.alert?.startedAt ?? null));
  const at = event ? observedAt : (said ?? about?.at ?? null);
  return at === null
    ? { at: observedAt, what: messages.analysis.pasted(what), evidence_id }
    : { at, what, evidence_id };
}

/**
 * Returns the timed entries of the log: the last setting, the warnings before the failure, the last of several
 * failures.
 */
function logged(findings: Findings, book: EvidenceBook, messages: Messages): Entry[] {
  const { setting, warnings, failure: failed, failedAt, lastFailedAt } = summarizeLog(findings);
  const { alert, chain } = findings.error;
  const entry = (record: LogRecord, at: string, what: string): Entry => ({
    at,
    what,
    evidence_id: book.cite(observeRecord(findings, record)),
  });
  const alerted = alert?.startedAt && chain.length > 0 ? observeAlert(findings, alert) : null;
  return [
    ...(setting?.at ? [entry(setting, setting.at, messages.analysis.setting(setting))] : []),
    ...warnings.flatMap((warning) =>
      warning.first.at === null
        ? []
        : [entry(warning.first, warning.first.at, messages.analysis.warned(warning, null))],
    ),
    ...(failed && lastFailedAt !== null && lastFailedAt !== failedAt
      ? [entry(failed, lastFailedAt, messages.analysis.lastOccurrence())]
      : []),
    ...(alerted
      ? [{ at: alerted.observed_at, what: messages.evidence(alerted.fact), evidence_id: book.cite(alerted) }]
      : []),
  ];
}

/** Returns when each process was first seen, and when its exit was noticed. */
function processTimes({ observations, exit }: Findings, book: EvidenceBook, { analysis }: Messages): Entry[] {
  const seen = ofKind(observations, "last-heartbeat").slice(0, processesMax);
  const [first] = seen;
  return [
    ...seen.map((one) => ({
      at: one.fact.lastHeartbeat.firstAt,
      what: analysis.firstSeen(one.fact.lastHeartbeat.service, one.fact.lastHeartbeat.host),
      evidence_id: book.cite(one),
    })),
    ...(first && exit ? [{ at: exit.noticedAt, what: analysis.noticed(), evidence_id: book.cite(first) }] : []),
  ];
}

/**
 * Returns the changes and problems that third parties saw, and log lines that name the failure; a few of those that
 * nothing relates to it.
 */
function outsideMoments(findings: Findings): Observation[] {
  const { causes, others, logs } = relatedFindings(findings);
  const failedAt = Date.parse(findings.observedAt);
  const apart = ({ observed_at: at }: Observation): number => Math.abs(failedAt - Date.parse(at));
  const near = others.toSorted((left, right) => apart(left) - apart(right)).slice(0, unrelatedMax);
  return [...causes, ...logs, ...near];
}

function breadcrumbs({ event }: Findings): Observation<AnyFact>[] {
  if (!event) return [];
  return tellingBreadcrumbs(event)
    .slice(-breadcrumbsMax)
    .flatMap((index) => observeBreadcrumb(event, index) ?? []);
}

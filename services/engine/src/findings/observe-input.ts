import { createHash } from "node:crypto";
import type { Location } from "@whence/protocol";
import type { Fact, InputFact } from "../signals/fact.ts";
import type { Alert } from "../signals/inputs/alert.ts";
import type { LogRecord } from "../signals/inputs/record.ts";
import { SourceText } from "../source/source-text.ts";
import type { EventFacts } from "./event-facts.ts";
import type { Findings, ParsedInput } from "./findings.ts";
import type { CodePlace, LocatedFrame } from "./located-frame.ts";
import { summarizeLog } from "./log-summary.ts";
import type { Observation } from "./observation.ts";
import type { ParsedException } from "./parsed-error.ts";
import type { SignatureMatch } from "./signature.ts";

/** Evidence from the input itself. */
export type Exhibit = Observation<InputFact>;

/** Lines of code shown on each side of the one that matters. */
const codeLinesAround = 3;
const stackLinesQuotedMax = 14;

/** Returns the error as printed, with the first lines of its stack. */
export function observeException(findings: Findings, exception: ParsedException): Exhibit {
  const { source, printed } = exception;
  const first = source.lineAt(printed.start);
  const last = Math.min(source.lineAt(Math.max(printed.start, printed.end - 1)), first + stackLinesQuotedMax);
  return {
    source: { kind: source.kind, name: source.name },
    observed_at: findings.observedAt,
    fact: { kind: "exception", type: exception.type, message: firstLine(exception.message) },
    location: null,
    ...source.quoteLines(first, last),
  };
}

/** Returns one printed frame; null for a frame that was reported without being printed. */
export function observeFrame(findings: Findings, located: LocatedFrame): Exhibit | null {
  const exception = findings.error.exceptions[located.exception];
  const { printed, line, function: name } = located.frame;
  if (!exception || !printed) return null;
  const place = { file: located.file, line, function: located.place?.function ?? name };
  return {
    source: { kind: "stack_frame", name: exception.source.name },
    observed_at: findings.observedAt,
    fact: { kind: "frame", place },
    location: place,
    ...exception.source.quote(printed),
  };
}

/** Returns the code around a place. */
export function observeCode(
  { observedAt }: Pick<ParsedInput, "observedAt">,
  { source, file, line, function: name }: CodePlace,
): Exhibit {
  const place: Location = { file, line, function: name };
  const from = Math.max(source.firstLine, line - codeLinesAround);
  const to = Math.min(source.lastLine, line + codeLinesAround);
  return {
    source: { kind: source.kind, name: source.name, ...(source.version && { version: source.version }) },
    observed_at: observedAt,
    fact: { kind: "code", place, line: line === null ? "" : source.line(line).trim() },
    location: place,
    first_line: from,
    ...source.quoteLines(from, to),
  };
}

/** Returns one breadcrumb, as the client recorded it. */
export function observeBreadcrumb(event: EventFacts, index: number): Exhibit | null {
  const breadcrumb = event.breadcrumbs[index];
  if (!breadcrumb) return null;
  const call = event.calls.find((one) => one.index === index);
  const message = breadcrumb.message ?? JSON.stringify(breadcrumb.data ?? {});
  const source = new SourceText(
    "breadcrumb",
    `breadcrumb ${index + 1} of event ${event.id}`,
    JSON.stringify(breadcrumb),
  );
  return {
    source: { kind: "breadcrumb", name: source.name },
    observed_at: breadcrumb.timestamp,
    fact: call ? { kind: "call", call } : { kind: "breadcrumb", category: breadcrumb.category, message },
    location: null,
    ...source.quote({ start: 0, end: source.text.length }),
  };
}

/** Returns the request being served, without its headers. */
export function observeRequest(event: EventFacts): Exhibit | null {
  if (!event.request) return null;
  const { method, path, route } = event.request;
  const text = JSON.stringify({ method, path, ...(route === undefined ? {} : { route }) });
  const source = new SourceText("request", `request of event ${event.id}`, text);
  return {
    source: { kind: "request", name: source.name },
    observed_at: event.at,
    fact: { kind: "request", method, route: route ?? path },
    location: null,
    ...source.quote({ start: 0, end: text.length }),
  };
}

/** Returns how the event was caught. */
export function observeMechanism(event: EventFacts): Exhibit {
  const text = JSON.stringify({ mechanism: event.mechanism, service: event.service, instance: event.instance });
  const source = new SourceText("telemetry", `event ${event.id}`, text);
  return {
    source: { kind: "telemetry", name: source.name },
    observed_at: event.at,
    fact: { kind: "mechanism", mechanism: event.mechanism.type, isHandled: event.mechanism.handled },
    location: null,
    ...source.quote({ start: 0, end: text.length }),
  };
}

/** Returns a known failure that the text matches: the words that matched, and where they are. */
export function observeSignature(findings: Findings, match: SignatureMatch): Exhibit {
  const exception = match.exception === null ? undefined : findings.error.exceptions[match.exception];
  const source =
    exception?.source ?? findings.error.sources[0] ?? new SourceText("error_log", "error log", match.matched);
  const words = firstLine(match.matched);
  const found = source.text.indexOf(words, exception?.printed.start ?? 0);
  const line = source.lineAt(exception?.printed.start ?? 0);
  const quote = found >= 0 ? source.quote({ start: found, end: found + words.length }) : source.quoteLines(line, line);
  return {
    source: { kind: "signature", name: match.signature.id, url: match.signature.url },
    observed_at: findings.observedAt,
    fact: { kind: "signature", id: match.signature.id },
    location: null,
    ...quote,
  };
}

/** Returns a log record as printed. */
export function observeRecord(findings: Findings, record: LogRecord): Exhibit {
  const { source, printed, at } = record;
  return {
    source: { kind: source.kind, name: source.name },
    observed_at: at ?? findings.observedAt,
    fact: { kind: "record", record },
    location: null,
    ...source.quote(printed),
  };
}

/** Returns the alert as the monitoring system sent it. */
export function observeAlert(findings: Findings, alert: Alert): Exhibit {
  const { source, printed } = alert;
  return {
    source: { kind: source.kind, name: source.name },
    observed_at: alert.startedAt ?? findings.observedAt,
    fact: { kind: "alert", alert },
    location: null,
    ...source.quote(printed),
  };
}

/**
 * Returns what was investigated when no error was recognized: the alert, the most severe record, or the most telling
 * line.
 */
export function observeText(findings: Findings): Exhibit {
  const { alert } = findings.error;
  if (alert) return observeAlert(findings, alert);
  const { failure } = summarizeLog(findings);
  if (failure) return observeRecord(findings, failure);
  const source = findings.error.sources[0] ?? new SourceText("error_log", "error log", findings.error.headline);
  const found = Math.max(source.text.indexOf(findings.error.headline), 0);
  return {
    source: { kind: source.kind, name: source.name },
    observed_at: findings.observedAt,
    fact: { kind: "text", headline: findings.error.headline },
    location: null,
    ...source.quote({
      start: found,
      end: Math.max(found + findings.error.headline.length, Math.min(200, source.text.length)),
    }),
  };
}

/** Returns something counted or computed, with the data it was computed from. */
export function observeData(
  source: { kind: "telemetry" | "integration" | "model"; name: string; url?: string },
  data: unknown,
  shown: { readonly observed_at: string; readonly fact: Fact },
): Observation {
  return { source, ...quotedData(data), location: null, ...shown };
}

/** Returns data as evidence quotes it. */
export function quotedData(data: unknown): Pick<Observation, "excerpt" | "range" | "sha256"> {
  const excerpt = JSON.stringify(data);
  return { excerpt, range: null, sha256: createHash("sha256").update(excerpt, "utf8").digest("hex") };
}

/** Returns the first line of a text, cut to fit in a sentence. */
export function firstLine(text: string): string {
  const line = text.split("\n", 1)[0] ?? "";
  const summaryUnitsMax = 300;
  return line.length > summaryUnitsMax ? `${line.slice(0, summaryUnitsMax - 1)}…`.toWellFormed() : line;
}

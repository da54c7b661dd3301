import type { FailureQuestion } from "../integrations/integration.ts";
import { serviceNames } from "../integrations/service-names.ts";

/**
 * The fields of ECS first, then OpenTelemetry's, then those of loggers that follow neither.
 * https://www.elastic.co/docs/reference/ecs
 */
export const logFields = {
  time: "@timestamp",
  level: ["log.level", "level", "severity", "severity_text", "loglevel"],
  message: ["message", "body.text", "msg", "log"],
  error: ["error.message", "error.exception.message", "error.log.message", "exception.message", "err.message"],
  source: [
    "service.name",
    "resource.attributes.service.name",
    "kubernetes.container.name",
    "container.name",
    "app",
    "application",
    "service",
    "kubernetes.pod.name",
    "host.name",
  ],
} as const;

/** Maximum lines of one search. */
export const linesMax = 200;
const timeoutMs = 4_000;
/** A keyword isn't analyzed, so its case matters. */
const levels = ["error", "fatal", "critical", "crit", "err", "panic", "emergency", "alert", "severe"];
const words = ["error", "exception", "fatal", "panic", "critical"];
/** Length of the failure's own text, which others may have logged. */
const quoteLengthMax = 200;
const quoteLengthMin = 8;

/**
 * Builds a search for error lines that name the failing service, its host, or a service it called, or that quote its
 * error; the latest first. https://www.elastic.co/docs/api/doc/elasticsearch/operation/operation-search
 */
export function logSearch(about: FailureQuestion): object {
  const quotes = quotesOf(about);
  const names = namesOf(about);
  const texts = [...logFields.message, ...logFields.error];
  const isTrouble = [
    anyOf(levels.flatMap(spellings), logFields.level),
    anyOf(words, logFields.message),
    ...logFields.error.map((field) => ({ exists: { field } })),
  ];
  const isRelated = [anyOf(names, logFields.source), ...quotes.map((quote) => anyOf([quote], texts))];
  return {
    size: linesMax,
    timeout: `${timeoutMs}ms`,
    track_total_hits: false,
    _source: false,
    fields: [
      { field: logFields.time, format: "strict_date_optional_time" },
      ...logFields.level,
      ...texts,
      ...logFields.source,
    ],
    sort: [{ [logFields.time]: { order: "desc", unmapped_type: "date" } }],
    query: {
      bool: {
        filter: [
          { range: { [logFields.time]: { gte: about.from, lte: about.to } } },
          { bool: { should: isTrouble, minimum_should_match: 1 } },
          { bool: { should: isRelated, minimum_should_match: 1 } },
        ],
      },
    },
  };
}

function spellings(word: string): string[] {
  return [word, word.toUpperCase(), word.charAt(0).toUpperCase() + word.slice(1)];
}

/**
 * Builds {@link logSearch} for people, in Lucene's syntax: the words are looked for in every field. Of the errors, only
 * the first is quoted, so that the address stays short.
 */
export function logQuery(about: FailureQuestion): string {
  const isTrouble = [
    ...new Set([...words, ...levels.flatMap(spellings)]),
    ...logFields.error.map((field) => `_exists_:${field}`),
  ];
  const isRelated = [...namesOf(about), ...quotesOf(about).slice(0, 1)].map(quoted);
  return [isTrouble, isRelated].flatMap((any) => (any.length === 0 ? [] : `(${any.join(" OR ")})`)).join(" AND ");
}

function quotesOf({ errors }: FailureQuestion): string[] {
  return errors
    .map(({ message }) => (message.split("\n", 1)[0] ?? "").slice(0, quoteLengthMax))
    .filter((text) => text.length >= quoteLengthMin);
}

function namesOf(about: FailureQuestion): string[] {
  return [...serviceNames(about), about.host].filter((name) => name !== "");
}

function quoted(phrase: string): string {
  return `"${phrase.replaceAll(/["\\]/g, "\\$&")}"`;
}

/** Matches texts that contain one of the phrases, and keywords equal to one. Fields of other types are ignored. */
function anyOf(phrases: readonly string[], fields: readonly string[]): object {
  const query = phrases.map(quoted).join(" OR ");
  return { query_string: { query, fields, lenient: true } };
}

import type { ParsedError, ParsedException } from "../findings.ts";
import { SourceText } from "../source-text.ts";
import { parseJsonLog } from "./formats/json-log.ts";
import { parseNode } from "./formats/node.ts";
import { isAtStart, parseHeader } from "./formats/node-header.ts";
import { parseInlineProperties } from "./formats/node-properties.ts";
import { type ReadableLine, readableLines } from "./lines.ts";

const stacklessMax = 20;

/** Reads a pasted log. Never throws; what was not understood is said in `unread`. Linear in the length of the text. */
export function parseText(errorLog: string): ParsedError {
  const source = new SourceText("error_log", "error log", errorLog);
  const lines = readableLines(source);
  const structured = readStructured(source, lines);
  const withStack = [...structured, ...parseNode(source, unescapeStacks(lines))];
  const exceptions = withStack.length > 0 ? withStack : withoutStack(source, lines);
  return {
    exceptions,
    chain: chooseChain(exceptions),
    headline: headlineOf(lines),
    sources: [source],
    unread: unreadOf(exceptions, lines),
  };
}

/** The chain to look into: what ended the process, else the first that has frames, else the first. */
export function chooseChain(exceptions: readonly ParsedException[]): number[] {
  const heads = exceptions.flatMap((exception, index) => (exception.parent === null ? [index] : []));
  const head =
    heads.findLast((index) => exceptions[index]?.fatal) ??
    heads.find((index) => (exceptions[index]?.frames.length ?? 0) > 0) ??
    heads[0];
  if (head === undefined) return [];
  const chain = new Set([head]);
  // A parent always stands before its causes, so one pass finds them all.
  for (const [index, { parent }] of exceptions.entries()) if (parent !== null && chain.has(parent)) chain.add(index);
  return [...chain];
}

function readStructured(source: SourceText, lines: readonly ReadableLine[]): ParsedException[] {
  const whole = { text: "", printed: { start: 0, end: source.text.length } };
  const records = source.text.includes("{") ? [whole, ...lines] : [];
  const found: ParsedException[] = [];
  for (const record of records) {
    const logged = parseJsonLog(record, source.text.slice(record.printed.start, record.printed.end));
    if (!logged) continue;
    const read = parseNode(source, logged.lines);
    const errors = read.length > 0 ? read : withoutStack(source, logged.lines);
    const base = found.length;
    for (const [index, error] of errors.entries()) {
      const properties = index === 0 ? { ...logged.properties, ...error.properties } : error.properties;
      found.push({ ...error, properties, parent: error.parent === null ? null : error.parent + base });
    }
    if (record === whole || found.length >= stacklessMax) break;
  }
  return found;
}

/** A stack copied out of a viewer that prints line ends as `\n`. */
function unescapeStacks(lines: readonly ReadableLine[]): readonly ReadableLine[] {
  if (!lines.some(({ text }) => isEscaped(text))) return lines;
  return lines.flatMap((line) =>
    isEscaped(line.text) ? line.text.split("\\n").map((text) => ({ text, printed: line.printed })) : [line],
  );
}

/** Lines of JSON are read as such. */
function isEscaped(text: string): boolean {
  return text.includes("\\n    at ") && !text.startsWith("{");
}

/** Errors of which only the name and the message were given. */
function withoutStack(source: SourceText, lines: readonly ReadableLine[]): ParsedException[] {
  const found: ParsedException[] = [];
  for (const { text, printed } of lines) {
    const header = parseHeader(text);
    if (!header || (header.message === "" && !isAtStart(text, header))) continue;
    const isCause = /^caused by: /i.test(text.trim()) && found.length > 0;
    found.push({
      type: header.type,
      message: header.message,
      properties: { ...(header.code ? { code: header.code } : {}), ...parseInlineProperties(text) },
      frames: [],
      parent: isCause ? found.length - 1 : null,
      relation: isCause ? "cause" : null,
      source,
      printed,
      throwSite: null,
      fatal: false,
    });
    if (found.length >= stacklessMax) break;
  }
  return found;
}

const telling = /\b(?:error|fail|failed|failure|fatal|panic|exception|refused|timed? ?out|denied|cannot|killed)/i;

/** The line that a person would read out. */
function headlineOf(lines: readonly ReadableLine[]): string {
  const written = lines.map(({ text }) => text.trim()).filter((text) => text !== "");
  return (written.find((text) => telling.test(text)) ?? written[0] ?? "").slice(0, 500);
}

function unreadOf(exceptions: readonly ParsedException[], lines: readonly ReadableLine[]): string[] {
  if (exceptions.length === 0) {
    return [`no error in a format that is known was found in the ${lines.length} lines given: they were read as text`];
  }
  if (exceptions.every(({ frames }) => frames.length === 0)) return ["the error was given without a stack"];
  return [];
}

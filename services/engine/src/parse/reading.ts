import type { LogRecord } from "../signals/inputs/record.ts";
import type { Span } from "../source/source-text.ts";
import type { ReadAlert } from "./alerts/json-alerts.ts";
import { splitCollapsed } from "./collapsed-lines.ts";
import type { Draft } from "./draft.ts";
import { readFormats } from "./formats.ts";
import { type JsonReading, objectsIn, readJsonLog } from "./json/json-log.ts";
import { type JsonDocument, type JsonObject, readJson } from "./json/json-reader.ts";
import { LineText } from "./json/line-text.ts";
import { withListedLines } from "./json/listed-lines.ts";
import { markInValue, placeInLog } from "./log-context.ts";
import { opensValue, opensValueBelow } from "./logged-values.ts";
import type { ReadableLine } from "./readable-line.ts";
import { severityOf } from "./records/level.ts";
import { readRecord } from "./records/records.ts";

/** Maximum nesting of logs: a container's JSON around a shipper's around the program's own. */
const wrappingsMax = 4;
const recordsMax = 20_000;
/** Maximum objects listed in one document. */
const elementsMax = 5_000;
/** How many times a text may be searched for JSON. */
const jsonScansMax = 2;

/** Everything found in a text, in the order it is found. */
export class Reading {
  readonly drafts: Draft[] = [];
  readonly records: Omit<LogRecord, "source">[] = [];
  readonly alerts: (ReadAlert & { readonly printed: Span })[] = [];
  /** Lines that belong to neither an error nor JSON. */
  readonly free: ReadableLine[] = [];
  /** How many JSON documents end too early. */
  cutDocuments = 0;
  recordsLeftOut = 0;
  /** JSON that gives a name twice with different values. */
  readonly ambiguousJson: Span[] = [];

  /** Reads lines; `wrapping` is the number of logs that they were wrapped in. */
  readLines(lines: readonly ReadableLine[], wrapping = 0): void {
    const text = new LineText(lines);
    const plain: ReadableLine[] = [];
    let wrapped: ReadableLine[] = [];
    let budget = text.text.length * jsonScansMax;
    for (let index = 0; index < lines.length; index++) {
      const line = lines[index];
      if (!line) continue;
      const found = budget > 0 ? documentAt(text, line, index) : null;
      budget -= found?.cost ?? 0;
      const reading = found?.document ? this.#readDocument(found.document, text) : null;
      if (!found?.document || !reading || !isUseful(reading, found.isAtStart)) {
        wrapped = this.#flush(wrapped, wrapping);
        plain.push(line);
        continue;
      }
      if (line.inValue === true || isValueAt(text, lines, index, found.document.root.start))
        for (const draft of reading.drafts) markInValue(draft);
      this.#keep(reading, text.spanOf(found.document.root));
      if (found.document.isAmbiguous) this.ambiguousJson.push(text.spanOf(found.document.root));
      if (!found.document.isWhole) this.cutDocuments++;
      plain.push(separator(line, text.startOf(index), found.document.root.start));
      if (reading.wrapped.length > 0) wrapped.push(...reading.wrapped);
      else wrapped = this.#flush(wrapped, wrapping);
      index = Math.max(index, text.lineAt(Math.max(found.document.end - 1, 0)));
    }
    this.#flush(wrapped, wrapping);
    this.#readText(plain);
  }

  #flush(wrapped: ReadableLine[], wrapping: number): ReadableLine[] {
    if (wrapped.length > 0 && wrapping < wrappingsMax) this.readLines(wrapped, wrapping + 1);
    return wrapped.length > 0 ? [] : wrapped;
  }

  /** Reads a document and everything it lists as one reading. */
  #readDocument({ root }: JsonDocument, text: LineText): JsonReading {
    const waiting: JsonObject[] = [...objectsIn(root)].slice(0, elementsMax).reverse();
    const readings: JsonReading[] = [];
    for (let next = waiting.pop(); next && readings.length < elementsMax; next = waiting.pop()) {
      const reading = readJsonLog(next, text);
      readings.push(reading);
      waiting.push(...reading.elements.slice(0, elementsMax).toReversed());
    }
    return {
      drafts: readings.flatMap(({ drafts }) => drafts),
      records: readings.flatMap(({ records }) => records),
      alerts: readings.flatMap(({ alerts }) => alerts),
      wrapped: readings.flatMap(({ wrapped }) => wrapped),
      elements: [],
    };
  }

  #keep({ drafts, records, alerts }: JsonReading, printed: Span): void {
    this.drafts.push(...drafts);
    for (const record of records) this.#addRecord(record);
    this.alerts.push(...alerts.map((alert) => ({ ...alert, printed })));
  }

  #readText(lines: readonly ReadableLine[]): void {
    const split = withListedLines(lines).flatMap(splitCollapsed);
    const { drafts, free } = readFormats(split);
    placeInLog(drafts, split, free);
    this.drafts.push(...drafts);
    let open: Omit<LogRecord, "source"> | null = null;
    for (const line of free) {
      if (line.text === "") continue;
      this.free.push(line);
      const record = readRecord(line);
      if (open) this.#addRecord(record ? open : continued(open, line));
      open = record && { ...record, printed: line.printed };
      if (open && !isContinued(open)) {
        this.#addRecord(open);
        open = null;
      }
    }
    if (open) this.#addRecord(open);
  }

  #addRecord(record: Omit<LogRecord, "source">): void {
    if (this.records.length < recordsMax) this.records.push(record);
    else this.recordsLeftOut++;
  }
}

/** Returns whether an error is announced whose words are on the next line: an empty message, or one with a colon. */
function isContinued({ level, message }: Omit<LogRecord, "source">): boolean {
  return (level === "error" || level === "fatal") && /^(?:\[[^\]]{1,80}\]\s*){0,4}(?:.{1,200}:)?\s*$/.test(message);
}

function continued(record: Omit<LogRecord, "source">, { text, printed }: ReadableLine): Omit<LogRecord, "source"> {
  const [said, more] = [record.message.trim(), text.trim()];
  // Rails repeats the tags of a request on each line.
  const message = more.startsWith(said) ? more.slice(said.endsWith("]") ? said.length : 0).trim() : `${said} ${more}`;
  return { ...record, message, printed: { start: record.printed.start, end: printed.end } };
}

/** Returns whether a document is a value quoted in a line: `GET /?q={"err":…}`, `INFO received {"err":…}`. */
function isValueAt(text: LineText, lines: readonly ReadableLine[], index: number, start: number): boolean {
  const line = lines[index];
  const before = (line?.text ?? "").slice(0, Math.max(start - text.startOf(index), 0)).trimEnd();
  if (before === "") return opensValueBelow(lines[index - 1]?.text ?? "");
  const level = line ? (readRecord({ ...line, text: before })?.level ?? null) : null;
  return opensValue(before) || (level !== null && severityOf(level) <= severityOf("info"));
}

interface FoundDocument {
  readonly document: JsonDocument | null;
  /** Whether it is the first thing on its line. */
  readonly isAtStart: boolean;
  /** The number of characters examined. */
  readonly cost: number;
}

function documentAt(text: LineText, { text: line }: ReadableLine, index: number): FoundDocument | null {
  const first = line.search(/\S/);
  const isAtStart = line[first] === "{" || line[first] === "[";
  const own = isAtStart ? readAt(text, index, first) : null;
  if (own?.document) return { ...own, isAtStart: true };
  const within = line.indexOf('{"');
  if (within < 0 || within === first) return own;
  const found = readAt(text, index, within);
  const isCut = found.document !== null && !found.document.isWhole;
  return { document: isCut ? null : found.document, isAtStart: false, cost: found.cost + (own?.cost ?? 0) };
}

function readAt(text: LineText, index: number, offset: number): FoundDocument {
  const start = text.startOf(index) + offset;
  const document = readJson(text.text, start);
  const isAnything = document !== null && objectsIn(document.root).some(({ entries }) => entries.size > 0);
  return { document: isAnything ? document : null, isAtStart: true, cost: document ? document.end - start : 64 };
}

/** JSON after other words is a value that they mention, unless it contains a stack. */
function isUseful({ drafts, records, alerts, wrapped }: JsonReading, isAtStart: boolean): boolean {
  if (drafts.some(({ frames }) => frames.length > 0) || alerts.length > 0 || wrapped.length > 0) return true;
  return isAtStart && (drafts.length > 0 || records.length > 0);
}

/** Returns the text before a document on its line, or a blank line, so that no stack continues across it. */
function separator(line: ReadableLine, lineStart: number, documentStart: number): ReadableLine {
  return { ...line, text: line.text.slice(0, Math.max(documentStart - lineStart, 0)).trimEnd() };
}

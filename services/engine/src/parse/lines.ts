import type { SourceText, Span } from "../source/source-text.ts";
import { stripCarriers } from "./carriers.ts";
import { clean } from "./clean.ts";
import { quotationWidths, withoutMargins } from "./margins.ts";
import type { ReadableLine } from "./readable-line.ts";

/** Lines longer than this are data, not a header or a frame; only their beginning is read as text. */
export const lineUnitsMax = 16_384;
/** Further blank lines in a row are dropped. */
const blanksMax = 2;
/** So are further lines that have only the same bracket. */
const shortRepeatsMax = 60;
const shortUnits = 3;

/** The lines of a source without colors, quotation marks, prefixes of log shippers, and margins; runs of blank lines are cut. */
export function readableLines(source: SourceText): readonly ReadableLine[] {
  const spans = [...physicalLines(source.text)];
  const raws = spans.map(({ start, end }) => source.text.slice(start, end));
  const quoted = quotationWidths(raws);
  const lines: ReadableLine[] = [];
  let last = "";
  let repeats = 0;
  for (const [index, printed] of spans.entries()) {
    const line = readableLine(raws[index] ?? "", printed, quoted[index]);
    repeats = line.text === last ? repeats + 1 : 0;
    last = line.text;
    if (repeats < (last === "" ? blanksMax : last.length <= shortUnits ? shortRepeatsMax : Number.POSITIVE_INFINITY))
      lines.push(line);
  }
  return withoutMargins(lines);
}

/** A piece of a text as a line of its own, without the `width` characters that quote it. */
export function readableLine(raw: string, printed: Span, width = 0): ReadableLine {
  const { text, carrier } = stripCarriers(clean(raw.slice(width)));
  const isFence = text.length < fenceUnitsMax && fence.test(text);
  return { text: isFence ? "" : text, printed, verbatimAt: verbatimAt(raw, text, printed), carrier };
}

/** Where a part of a line stands: exactly when its text is the source's, else the whole line. */
export function spanWithin(line: ReadableLine, from: number, to: number): Span {
  if (line.verbatimAt === null) return line.printed;
  return { start: line.verbatimAt + from, end: line.verbatimAt + to };
}

const fenceUnitsMax = 40;
/** ```` ```text ````, `{code:java}`, `{noformat}`, `<pre>`: what marks code in issues and chats. */
const fence = /^\s*(?:(?:```|~~~)[\w-]{0,20}|\{(?:code|noformat)[^}]{0,20}\}|<\/?(?:pre|code)>)\s*$/;

function* physicalLines(text: string): Generator<Span> {
  const hasReturns = text.includes("\r");
  let start = 0;
  while (start <= text.length) {
    const newline = text.indexOf("\n", start);
    const end = newline < 0 ? text.length : newline;
    if (hasReturns) yield* withoutReturns(text.slice(start, end), start);
    else yield { start, end };
    start = end + 1;
  }
}

/** A lone carriage return overwrites what stands before it: a progress bar, or a line end of old. */
function* withoutReturns(line: string, start: number): Generator<Span> {
  let from = 0;
  for (const piece of line.split("\r")) {
    const end = from + piece.length;
    // Of UTF-16 read as bytes a line end leaves NULs.
    if (/[^\0]/.test(piece) || line === "") yield { start: start + from, end: start + end };
    from = end + 1;
  }
  // A line of nothing but returns is a blank one.
  if (line !== "" && !/[^\r]/.test(line)) yield { start, end: start + line.length };
}

function verbatimAt(raw: string, text: string, printed: Span): number | null {
  // What is stripped stands before the text or behind it, unless a cleaning changed the text itself.
  const trimmed = raw.trimEnd();
  return trimmed.endsWith(text) ? printed.start + trimmed.length - text.length : null;
}

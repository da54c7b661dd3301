import type { SourceText, Span } from "../source/source-text.ts";
import { stripCarriers } from "./carriers.ts";
import { clean } from "./clean.ts";
import { withoutInterleaving } from "./interleaved-lines.ts";
import { quotationWidths, withoutMargins } from "./margins.ts";
import { numbersOfLinesBelow, numberWidths } from "./numbered-lines.ts";
import type { ReadableLine } from "./readable-line.ts";
import { unwrapped } from "./wrapped-lines.ts";

/** Longer lines are data rather than headers or frames; only their start is read as text. */
export const lineUnitsMax = 16_384;
/** More blank lines in a row are dropped. */
const blanksMax = 2;
/** More lines with only the same bracket are dropped. */
const shortRepeatsMax = 60;
const shortUnits = 3;

/**
 * Returns the lines of a source without colors, quotation marks, shipper prefixes, and margins; runs of blank lines are
 * shortened, and broken lines of stacks joined.
 */
export function readableLines(source: SourceText): readonly ReadableLine[] {
  const spans = withoutNumbers(withoutSpacing([...physicalLines(source.text)], source.text), source.text);
  const raws = spans.map(({ start, end }) => source.text.slice(start, end));
  const quoted = quotationWidths(raws);
  const numbered = numberWidths(raws.map((raw, index) => raw.slice(quoted[index])));
  const lines: ReadableLine[] = [];
  let last = "";
  let repeats = 0;
  for (const [index, printed] of spans.entries()) {
    const line = readableLine(raws[index] ?? "", printed, (quoted[index] ?? 0) + (numbered[index] ?? 0));
    repeats = line.text === last ? repeats + 1 : 0;
    last = line.text;
    if (repeats < (last === "" ? blanksMax : last.length <= shortUnits ? shortRepeatsMax : Number.POSITIVE_INFINITY))
      lines.push(line);
  }
  return unwrapped(withoutMargins(withoutInterleaving(lines)));
}

/** Fewer lines may be apart because their author wanted it. */
const spacedLinesMin = 6;

/** Drops the blank lines of a text that was pasted with one below every line. */
function withoutSpacing(spans: readonly Span[], text: string): readonly Span[] {
  const isBlank = ({ start, end }: Span): boolean => text.slice(start, end).trim() === "";
  const first = spans.findIndex((span) => !isBlank(span));
  const said = spans.filter((span) => !isBlank(span));
  const isSpaced = said.length >= spacedLinesMin && said.every((span, index) => span === spans[first + 2 * index]);
  return isSpaced ? said : spans;
}

/** Drops the lines that only number those below them. */
function withoutNumbers(spans: readonly Span[], text: string): readonly Span[] {
  const are = numbersOfLinesBelow(spans.map(({ start, end }) => text.slice(start, end)));
  return spans.filter((_, index) => !are[index]);
}

/** Returns a piece of a text as a line of its own, without the `width` characters that quote it. */
export function readableLine(raw: string, printed: Span, width = 0): ReadableLine {
  const { text, carrier } = stripCarriers(withoutCodeMark(clean(raw.slice(width))));
  const isFence = text.length < fenceUnitsMax && fence.test(text);
  return { text: isFence ? "" : text, printed, verbatimAt: verbatimAt(raw, text, printed), carrier };
}

/** A call, and the mark behind it that ends what was marked as code several lines above; code on the line has two. */
const endOfCode = /^\s*(?:at|File|from) [^`]*[\w)>"]`$/;

/** Strips the mark that begins or ends code over several lines: `` `TypeError: x ``, and `` at f (a.js:1:2)` ``. */
function withoutCodeMark(text: string): string {
  if (!text.startsWith("`") && !text.endsWith("`")) return text;
  if (endOfCode.test(text)) return text.slice(0, -1);
  return /^`(?!`)[^`]{1,2000}$/.test(text) ? text.slice(1) : text;
}

/** Returns the span of a part of a line: exact when the line's text is the source's, or else the whole line. */
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

/** A lone carriage return overwrites what precedes it, as in a progress bar, or is an old-style line ending. */
function* withoutReturns(line: string, start: number): Generator<Span> {
  let from = 0;
  for (const piece of line.split("\r")) {
    const end = from + piece.length;
    // UTF-16 read as bytes leaves NULs at line endings.
    if (/[^\0]/.test(piece) || line === "") yield { start: start + from, end: start + end };
    from = end + 1;
  }
  // A line with only carriage returns is blank.
  if (line !== "" && !/[^\r]/.test(line)) yield { start, end: start + line.length };
}

function verbatimAt(raw: string, text: string, printed: Span): number | null {
  // Stripped text is at the start or end, unless cleaning changed the text itself.
  const trimmed = raw.trimEnd();
  return trimmed.endsWith(text) ? printed.start + trimmed.length - text.length : null;
}

import { parseDotnetFrame } from "./formats/dotnet.ts";
import { parseJvmFrame } from "./formats/jvm-frame.ts";
import { parseFrame } from "./formats/node-frame.ts";
import { lineUnitsMax, readableLine, spanWithin } from "./lines.ts";
import type { ReadableLine } from "./readable-line.ts";

/** How much of a line that is long enough to hold a stack is searched. */
const foldedUnitsMax = 131_072;
/** A single ` at ` may be a word. */
const framesMin = 2;
/**
 * A written-out line ending: `
 * `, `\r
 * `, doubly escaped, rsyslog's `#012`, a URL's `%0A`, an HTML `<br>`.
 */
const writtenEnd = /(?:\\{1,2}r)?\\{1,2}n(?=\s|\\{1,2}t|[A-Z#[}<-]|$)|#012|(?:%0[Dd])?%0[Aa]|<br ?\/?>/g;
/** What follows a line ending in a stack. */
const foldedStack =
  /(?:\\n|#012|%0[Aa]|<br ?\/?>)(?:\s|\\{1,2}t|%20|\+|&nbsp;|#011){0,12}(?:at[ +%]|File[ +%]|Caused by|#\d|from |\.\.\. \d|Traceback|goroutine \d|\/|[\w.]{1,80}\.go:)/;
const collapsedAt = / at /g;

/** Splits a line whose line breaks were escaped or lost into the original lines; most lines are just one. */
export function splitCollapsed(line: ReadableLine): readonly ReadableLine[] {
  const { text } = line;
  if (text.length < 20 || text.length > foldedUnitsMax) return [line];
  if (foldedStack.test(text)) return splitAt(line, writtenEnds(text));
  if (text.includes(" at ")) {
    const { cuts, frames } = collapsedFrames(text);
    if (frames >= framesMin) return splitAt(line, cuts);
  }
  if (text.includes("Traceback (most recent call last): ")) return splitAt(line, collapsedTraceback(text));
  if (text.includes(" #0 ")) return splitAt(line, collapsedTrace(text));
  if (text.includes(" | ") && text.includes(".rb:")) return splitAt(line, joinedCalls(text));
  return [line];
}

/** Where one part ends, and where the next begins. */
interface Cut {
  readonly end: number;
  readonly next: number;
}

function splitAt(line: ReadableLine, cuts: readonly Cut[]): readonly ReadableLine[] {
  const parts: ReadableLine[] = [];
  let start = 0;
  for (const { end, next } of [...cuts, { end: line.text.length, next: line.text.length }]) {
    parts.push(part(line, start, end));
    start = next;
  }
  // A line that begins with a call has only its indentation before it, which isn't the end of a stack.
  return parts[0]?.text.trim() === "" ? parts.slice(1) : parts;
}

function part(line: ReadableLine, from: number, to: number): ReadableLine {
  const raw = line.text.slice(from, to);
  const unescaped = raw.includes("\\") || raw.includes("#011") || raw.includes("%") ? withoutEscapes(raw) : raw;
  const read = readableLine(unescaped, spanWithin(line, from, to));
  const isVerbatim = unescaped === raw && line.verbatimAt !== null;
  return { ...read, verbatimAt: isVerbatim ? read.verbatimAt : null, carrier: line.carrier };
}

/** Unescapes tabs and quotes that were escaped along with the line endings, and URL escapes. */
function withoutEscapes(raw: string): string {
  const plain = raw.replace(/\\{1,2}t|#011/g, "\t").replaceAll('\\"', '"');
  if (!/%[0-9A-Fa-f]{2}/.test(plain)) return plain;
  try {
    return decodeURIComponent(plain.includes(" ") ? plain : plain.replaceAll("+", " "));
  } catch {
    // A `%` that escapes nothing means that the text isn't from a URL.
    return plain;
  }
}

function writtenEnds(text: string): Cut[] {
  return [...text.matchAll(writtenEnd)].map(({ 0: end, index }) => ({ end: index, next: index + end.length }));
}

/** Finds the frames of a stack pasted into a single-line field: `Error: x at f (a.js:1:2) at g (b.js:3:4)`. */
function collapsedFrames(text: string): { readonly cuts: readonly Cut[]; readonly frames: number } {
  const starts = [...text.matchAll(collapsedAt)].map(({ index }) => index);
  const cuts: Cut[] = [];
  let frames = 0;
  for (const [position, start] of starts.entries()) {
    const end = starts[position + 1] ?? text.length;
    const { length, rest } = frameLength(text.slice(start + 1, Math.min(end, start + lineUnitsMax)));
    if (length === 0) continue;
    frames++;
    cuts.push({ end: start, next: start + 1 });
    // After the last frame of an error the next error begins: `… (A.java:3) Caused by: …`.
    if (rest) cuts.push({ end: start + 1 + length, next: start + 1 + length });
  }
  return { cuts, frames };
}

/** Returns the length of the frame at the start of a text, and whether something else follows it. */
function frameLength(text: string): { length: number; rest: boolean } {
  const marks = [
    text.indexOf(" Caused by: "),
    text.indexOf(" --- End of "),
    text.indexOf(" ---> "),
    text.indexOf(" ... "),
    text.indexOf(" Suppressed: "),
  ];
  const first = Math.min(...marks.filter((mark) => mark > 0));
  const isCut = Number.isFinite(first) && isFrame(text.slice(0, first));
  if (isCut) return { length: first, rest: true };
  if (isFrame(text)) return { length: text.length, rest: false };
  const close = text.indexOf(")");
  return close > 0 && isFrame(text.slice(0, close + 1))
    ? { length: close + 1, rest: true }
    : { length: 0, rest: false };
}

function isFrame(text: string): boolean {
  const trimmed = text.trim();
  return (
    parseFrame(trimmed, null) !== null ||
    parseJvmFrame(trimmed, null) !== null ||
    parseDotnetFrame(trimmed, null) !== null
  );
}

/** `Traceback (most recent call last): File "a.py", line 3, in f code ValueError: x`. */
function collapsedTraceback(text: string): Cut[] {
  const frames = [...text.matchAll(/ {1,8}(?=File "[^"]{1,1000}", line \d{1,9})/g)].map(({ 0: blank, index }) => ({
    end: index,
    next: index,
    length: blank.length,
  }));
  const last = frames.at(-1);
  if (!last) return [];
  const cuts: Cut[] = [];
  for (const frame of frames) {
    cuts.push({ end: frame.end, next: frame.next });
    const place = /^ {1,8}File "[^"]{1,1000}", line \d{1,9}(?:, in [\w<>.]{1,200})?/.exec(
      text.slice(frame.next, frame.next + 2_000),
    );
    if (place) cuts.push({ end: frame.next + place[0].length, next: frame.next + place[0].length });
  }
  const tail = text.slice(cuts.at(-1)?.next ?? last.next);
  const raised = [...tail.matchAll(/ (?=[A-Za-z_][\w.]{0,150}(?:Error|Exception|Warning|Interrupt|Exit): )/g)].at(-1);
  if (raised) {
    const at = (cuts.at(-1)?.next ?? 0) + raised.index;
    cuts.push({ end: at, next: at + 1 });
  }
  return cuts;
}

/** A call of Ruby, behind the separator that joins a backtrace into one line: `a.rb:3:in `/' | a.rb:9:in `of'`. */
const joinedCall = / \| (?=[^\s:|]{1,400}\.\w{2,8}:\d{1,9}:in [`'])/g;

function joinedCalls(text: string): Cut[] {
  return [...text.matchAll(joinedCall)].map(({ 0: separator, index }) => ({
    end: index,
    next: index + separator.length,
  }));
}

/** A call of PHP. */
const traceCall = /^#\d{1,4} (?:[^#]{1,800}?\(\d{1,9}\): |\[internal function\]: |\{main\})/;
/** The title above the first call, and what is printed below the last. */
const aroundTrace = /^(?:Stack trace:(?= #0 )|thrown in \S)/;

/** `Uncaught TypeError: x in /a.php:3 Stack trace: #0 /b.php(4): f() #1 {main} thrown in /a.php on line 3`. */
function collapsedTrace(text: string): Cut[] {
  const parts = [...text.matchAll(/ (?=#\d|Stack trace: |thrown in )/g)].map(({ index }) => ({
    cut: { end: index, next: index + 1 },
    said: text.slice(index + 1, index + lineUnitsMax),
  }));
  const isTrace = parts.some(({ said }) => traceCall.test(said));
  return parts.flatMap(({ cut, said }) => (isTrace && (traceCall.test(said) || aroundTrace.test(said)) ? [cut] : []));
}

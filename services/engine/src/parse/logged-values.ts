import type { ReadableLine } from "./readable-line.ts";
import { describesFailure, isSentByClient } from "./value-names.ts";

/** Maximum lines of one value; a quotation mark that isn't closed within them doesn't start one. */
const valueLinesMax = 200;
/** A stack further below an open value isn't part of it. */
const openLinesMax = 30;
const readUnitsMax = 4_000;
/** `GET /?q=`, `body="`, `"comment": "`: a name whose value begins at the end of the text. */
const openValue = /(?:^|[\s?&;,{(["'])([A-Za-z_][\w.-]{0,80})(?:=|["']?: ?(?=["']))["']?$/;
/** An empty variable in an environment listing: `DEBUG=`. */
const emptyVariable = /^\s*(?:export )?[A-Z][A-Z0-9_]*=$/;
/** `Request body:`, `body: {`. */
const heading = /^\s*(?:[A-Za-z]{1,20} ){0,2}([A-Za-z][\w-]{1,40}):(?: ?[{[])?$/;
const caret = /^\s*\^+\s*$/;
/** The start of another log entry. */
const entry = /^\[?\d{4}[-/]\d\d[-/]\d\d[T ]\d\d:\d\d/;

/**
 * Returns whether the text that comes next is inside a value: in a field that doesn't hold stacks, or in open quotes.
 */
export function opensValue(before: string): boolean {
  const text = before.slice(-readUnitsMax).trimEnd();
  if (text === "") return false;
  const name = openValue.exec(text)?.[1];
  if (name !== undefined) return !describesFailure(name) && !emptyVariable.test(text);
  return isInQuotes(text);
}

/** Returns whether the lines below a line are inside a value that begins on it. */
export function opensValueBelow(text: string): boolean {
  const head = heading.exec(text.slice(0, readUnitsMax))?.[1];
  return (head !== undefined && isSentByClient(head)) || opensValue(text);
}

/** Returns whether a quote is open at the end, unless its name says that it holds the program's own words. */
function isInQuotes(text: string): boolean {
  // An odd quotation mark at the end of a quote was opened on a line above.
  if (!hasOpenQuote(text) || !/[\s=:,([{>]/.test(text[lastQuote(text) - 1] ?? "")) return false;
  const name = openValue.exec(text.slice(0, lastQuote(text) + 1))?.[1];
  return name === undefined || !describesFailure(name);
}

function hasOpenQuote(text: string): boolean {
  let quotes = 0;
  for (let at = text.indexOf('"'); at >= 0; at = text.indexOf('"', at + 1)) if (text[at - 1] !== "\\") quotes++;
  return quotes % 2 === 1;
}

function lastQuote(text: string): number {
  let at = text.lastIndexOf('"');
  while (at > 0 && text[at - 1] === "\\") at = text.lastIndexOf('"', at - 1);
  return at;
}

/**
 * Returns the lines inside a value that began on a line above: up to its closing quote or, where no quote marks its
 * end, up to the first error in it. `isFree` says whether no error was read from a line, and `beginsError` whether one
 * begins there.
 */
export function linesInValues(
  lines: readonly ReadableLine[],
  isFree: (index: number) => boolean,
  beginsError: (index: number) => boolean,
): ReadonlySet<number> {
  const inside = new Set<number>();
  for (let index = 0; index < lines.length; index++) {
    if (!isFree(index) || !opens(lines, index)) continue;
    const closed = closingLine(lines, index);
    const end = closed ?? firstError(lines, index, beginsError);
    if (end === null) continue;
    for (let line = index + 1; line <= end; line++) inside.add(line);
    index = closed === null ? index : end;
  }
  return inside;
}

/** A line of code above a caret opens nothing. */
function opens(lines: readonly ReadableLine[], index: number): boolean {
  const text = lines[index]?.text ?? "";
  return text !== "" && opensValueBelow(text) && !caret.test(lines[index + 1]?.text ?? "");
}

function closingLine(lines: readonly ReadableLine[], from: number): number | null {
  if (!hasOpenQuote(lines[from]?.text.slice(-readUnitsMax) ?? "")) return null;
  for (let line = from + 1; line < Math.min(lines.length, from + valueLinesMax); line++) {
    const text = lines[line]?.text ?? "";
    if (entry.test(text)) return null;
    if (hasOpenQuote(text.slice(0, readUnitsMax))) return line;
  }
  return null;
}

function firstError(
  lines: readonly ReadableLine[],
  from: number,
  beginsError: (index: number) => boolean,
): number | null {
  let hasCaret = false;
  for (let line = from + 1; line < Math.min(lines.length, from + openLinesMax); line++) {
    if (beginsError(line)) return line;
    const text = lines[line]?.text ?? "";
    // A blank line ends the value, except the one between a crash's caret and its name.
    if ((text === "" && !hasCaret) || entry.test(text) || opensValueBelow(text)) return null;
    hasCaret = caret.test(text);
  }
  return null;
}

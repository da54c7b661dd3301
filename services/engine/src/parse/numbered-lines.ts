import { call } from "./call-line.ts";

/** `12 | at f (a.js:1:2)`, `1: at …`, `3\tat …`: the number of a line, as editors, diffs, and `cat -n` print it. */
const number = /^\s{0,8}(\d{1,6})(?:[:.]|\s{0,2}[|│])?(?:[ \t]|$)/;
/** Fewer calls with numbers are an excerpt of code, or a list. */
const callsMin = 2;

/**
 * Returns the width of the number that precedes each line of a stack; 0 for all other lines. The numbers of consecutive
 * lines follow each other.
 */
export function numberWidths(lines: readonly string[]): readonly number[] {
  const widths = lines.map(() => 0);
  const found = lines.map((line) => number.exec(line));
  for (let from = 0; from < lines.length; ) {
    let to = from + 1;
    while (to < lines.length && follows(found[to], found[to - 1])) to++;
    const calls = lines.slice(from, to).filter((line, at) => isCall(line, found[from + at])).length;
    if (found[from] && calls >= callsMin) for (let at = from; at < to; at++) widths[at] = found[at]?.[0].length ?? 0;
    from = to;
  }
  return widths;
}

const numberAlone = /^\s{0,8}\d{1,6}\s*$/;
/** Fewer numbers may be a part of what they are between. */
const numbersMin = 3;

/**
 * Returns whether each line only numbers the line below, as in what is copied from a page that shows the numbers beside
 * a stack.
 */
export function numbersOfLinesBelow(lines: readonly string[]): readonly boolean[] {
  const are = lines.map(() => false);
  for (let from = 0; from < lines.length; from++) {
    if (!numberAlone.test(lines[from] ?? "")) continue;
    let to = from;
    while (isNextNumber(lines, to)) to += 2;
    const between = Array.from({ length: (to - from) / 2 }, (_, at) => lines[from + 1 + 2 * at]?.trim() ?? "");
    const areNumbers = between.length + 1 >= numbersMin && between.filter((line) => call.test(line)).length >= callsMin;
    for (let at = from; areNumbers && at <= to; at += 2) are[at] = true;
    // A part of these lines isn't what the whole isn't.
    from = to;
  }
  return are;
}

function isNextNumber(lines: readonly string[], at: number): boolean {
  const [one = "", below = "", next = ""] = lines.slice(at, at + 3);
  return below.trim() !== "" && numberAlone.test(next) && Number(next) === Number(one) + 1;
}

function follows(one: RegExpExecArray | null | undefined, above: RegExpExecArray | null | undefined): boolean {
  return one?.[1] !== undefined && above?.[1] !== undefined && Number(one[1]) === Number(above[1]) + 1;
}

function isCall(line: string, found: RegExpExecArray | null | undefined): boolean {
  return found !== null && found !== undefined && call.test(line.slice(found[0].length).trim());
}

import type { Stretch } from "../stretch.ts";

/** What database drivers and SQLAlchemy print below an error. */
const detail = /^(?:DETAIL|HINT|CONTEXT|LINE \d{1,9}|QUERY): |^\[(?:SQL|parameters): |^\(Background on this error at: /;
/** An assertion of unittest, which shows below it where two values differ. */
const compared = /^AssertionError: .{1,4000}(?: != | differ: )/;
/** A line of what differs, as `difflib` prints it. */
const difference = /^[-+?] /;
/** What unittest prints above it of two lists: which element differs, with the element below, and which is longer. */
const anElement = /^(?:First|Second) (?:differing|extra) element \d/;
const isLonger = /^(?:First|Second) \w{1,40} contains \d/;
/** The start of another log entry. */
const anotherEntry =
  /^(?:\d{4}[-/]\d\d|\[\d{4}-|\[?(?:DEBUG|INFO|WARN|WARNING|ERROR|CRITICAL|FATAL)\b|[{<>+|]|Traceback|During handling|The above exception)/;

/** The lines around one: those above it, the nearest first, and the one below. */
interface Around {
  readonly above: readonly [string, string];
  readonly below: string;
}

/** Returns the lines around one. */
export function around(stretch: Stretch, line: number): Around {
  return { above: [stretch.text(line - 1), stretch.text(line - 2)], below: stretch.text(line + 1) };
}

/** Returns whether a line belongs to the message that began with the line `raised`. */
export function followsMessage(raised: string, line: string, lines: Around): boolean {
  if (compared.test(raised) && showsDifference(raised, line, lines)) return true;
  if (line === "") return detail.test(lines.below) || /^\[SQL/.test(lines.below);
  if (detail.test(line)) return true;
  if (anotherEntry.test(line)) return false;
  // Pydantic names each field on a line of its own, with the problem on the next.
  if (/ validation errors? for /.test(raised)) return true;
  return /^\s/.test(line) && !/^\s*File "/.test(line) && !/^ {2,80}[|+]/.test(line);
}

/** Returns whether a line shows where two values differ: it has blank lines, above each half of them and below a list's. */
function showsDifference(raised: string, line: string, { above, below }: Around): boolean {
  if (line !== "") {
    const isElement = anElement.test(above[0]) || above[1].startsWith("First differing ");
    return isElement || difference.test(line) || isAboutLists(line);
  }
  if (above[0].startsWith("? ")) return difference.test(below);
  return raised.includes(" differ: ") && (difference.test(below) || isAboutLists(below));
}

function isAboutLists(line: string): boolean {
  return anElement.test(line) || isLonger.test(line);
}

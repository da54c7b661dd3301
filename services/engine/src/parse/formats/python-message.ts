/** What database drivers and SQLAlchemy print below an error. */
const detail = /^(?:DETAIL|HINT|CONTEXT|LINE \d{1,9}|QUERY): |^\[(?:SQL|parameters): |^\(Background on this error at: /;
/** An assertion of unittest, which shows below it where two values differ. */
const compared = /^AssertionError: .{1,4000}(?: != | differ: )/;
/** The start of another log entry. */
const anotherEntry =
  /^(?:\d{4}[-/]\d\d|\[\d{4}-|\[?(?:DEBUG|INFO|WARN|WARNING|ERROR|CRITICAL|FATAL)\b|[{<>+|]|Traceback|During handling|The above exception)/;

/** Returns whether a line belongs to the message that began with the line `raised`; `after` is the line below it. */
export function followsMessage(raised: string, line: string, after: string): boolean {
  if (line === "") return detail.test(after) || /^\[SQL/.test(after);
  if (detail.test(line)) return true;
  if (compared.test(raised) && /^[-+?] /.test(line)) return true;
  if (anotherEntry.test(line)) return false;
  // Pydantic names each field on a line of its own, with the problem on the next.
  if (/ validation errors? for /.test(raised)) return true;
  return /^\s/.test(line) && !/^\s*File "/.test(line) && !/^ {2,80}[|+]/.test(line);
}

/** The first line of an error: its name and message. */
export interface Header {
  readonly type: string;
  readonly message: string;
  /** From `Error [CODE]: …`. */
  readonly code: string | null;
  /** The position of the error's name in the line. */
  readonly start: number;
}

/** Longest name of an error's class. */
const nameUnitsMax = 120;
/** A name further into a line is part of some text. */
const nameWithinUnits = 2_000;
const endings = ["Error", "Exception"];
const wordCharacter = /[\w$.\\]/;

/**
 * Returns the error that a line announces (`TypeError: …`, `Error [ERR_X]: …`, `[db] failed: PoolError: …`), or null. A
 * name counts when it ends in Error or Exception.
 */
export function parseHeader(line: string): Header | null {
  const searched = line.slice(0, nameWithinUnits);
  for (let from = 0; from < searched.length; ) {
    const found = nextName(searched, from);
    if (!found) return null;
    const header = headerAt(line, found.start, found.end);
    if (header) return header;
    from = found.end;
  }
  return null;
}

/** Words at the end of a class's name that say that something failed. */
export const namesFailure =
  /(?:Error|Exception|Failed|Failure|Fault|Refused|Rejected|Denied|Forbidden|Timeout|TimedOut|Missing|NotFound|NotAllowed|Invalid|Unavailable|Exceeded|Expired|Violation|Violated|Conflict|Aborted|Mismatch|Exhausted|Exists)$/;
/** A participle at the end of a class's name: `TenderClosed`, but not `RssFeed`. Loggers aren't named so. */
const namesOutcome = /[a-df-z]ed$/;
/** `TenderClosed: …`, behind what it is about, such as `tenders[T-77] `, or behind nothing. */
const namedFailure =
  /^(?<subject>[\w$.:/-]{1,80}(?:\[[^\]\s]{0,80}\])?:? )?(?<type>(?:[A-Z][a-z0-9]{1,40}){2,8}): (?<message>.+)$/s;

/**
 * Returns the failure that a line logged as an error names by a class. Where what it is about stands before it, the name
 * may end with any participle: `tenders[T-77] TenderClosed: …`. Other names are those of a process and its logger.
 */
export function parseNamedFailure(line: string): Header | null {
  const { subject = "", type = "", message = "" } = namedFailure.exec(line)?.groups ?? {};
  const isFailure = namesFailure.test(type) || (subject.includes("[") && namesOutcome.test(type));
  return isFailure ? { type, message, code: null, start: subject.length } : null;
}

/** Returns whether the error's name starts the line, apart from a marker. */
export function isAtStart(line: string, { start }: Header): boolean {
  return leadIn.test(line.slice(0, start));
}

/** What may precede a name: nothing, `Uncaught`, `[cause]:`, `caused by:`, the number in an aggregate, `[`. */
const leadIn =
  /^\s*(?:error: )?(?:Uncaught:? )?(?:\(in promise\) )?(?:\[cause\]: |[Cc]aused by: |\[?\d{0,4}\]?:? ?)?\[?$/;

function nextName(line: string, from: number): { start: number; end: number } | null {
  const found = endings
    .map((ending) => ({ ending, at: line.indexOf(ending, from) }))
    .filter(({ at }) => at >= 0)
    .sort((left, right) => left.at - right.at)[0];
  if (!found) return null;
  let start = found.at;
  while (start > from && found.at - start < nameUnitsMax && wordCharacter.test(line[start - 1] ?? "")) start--;
  return { start, end: found.at + found.ending.length };
}

function headerAt(line: string, start: number, nameEnd: number): Header | null {
  const modules = /(?:\b[A-Z]\w{0,80}::){1,8}$/.exec(line.slice(Math.max(start - nameUnitsMax, 0), start))?.[0] ?? "";
  // In `DOMException [TimeoutError]: …` the specific name is the one in brackets; the search finds the first.
  const type = line.slice(start, nameEnd);
  if (!/^[A-Za-z_$]/.test(type)) return null;
  const bracket = bracketAt(line, nameEnd);
  const rest = line.slice(bracket ? bracket.end : nameEnd);
  // V8 prints a class that a library names otherwise as `Function [ImmutableError]: …`.
  const owner = rest.startsWith("]: ") ? /(?<![\w$])[A-Za-z_$][\w$]* \[$/.exec(line.slice(0, start)) : null;
  if (owner) return { type, message: rest.slice(2).trim(), code: null, start: owner.index };
  if (rest !== "" && !rest.startsWith(":") && !/^(?:\]| \{)/.test(rest)) return null;
  const inner = bracket?.content ?? null;
  const isName = inner !== null && endings.some((ending) => inner.endsWith(ending));
  return {
    type: isName ? inner : `${modules}${type}`,
    message: messageOf(rest, line[start - 1] === "["),
    code: isName ? null : inner,
    start: start - modules.length,
  };
}

function bracketAt(line: string, nameEnd: number): { content: string; end: number } | null {
  if (line[nameEnd] !== " " || line[nameEnd + 1] !== "[") return null;
  const close = line.indexOf("]", nameEnd);
  if (close < 0 || close - nameEnd > nameUnitsMax) return null;
  return { content: line.slice(nameEnd + 2, close), end: close + 1 };
}

/** util.inspect prints an error without a stack as `[Error: text]`. */
function messageOf(rest: string, isBracketed: boolean): string {
  if (!rest.startsWith(":")) return "";
  const message = rest.slice(1).trim();
  if (!isBracketed) return message;
  const close = message.lastIndexOf("]");
  return close < 0 ? message : message.slice(0, close);
}

import { type Draft, headOf } from "./draft.ts";
import { isAtStart, parseHeader } from "./header.ts";
import { linesInValues, opensValue } from "./logged-values.ts";
import type { ReadableLine } from "./readable-line.ts";
import { severityOf } from "./records/level.ts";
import type { LineRecord } from "./records/line-record.ts";
import { readRecord } from "./records/records.ts";

/**
 * Adds to each error of some lines what the line that names it, or the line right above, says about it: its level, its
 * time, whether a logger wrote it, and whether it is inside a value.
 */
export function placeInLog(
  drafts: readonly Draft[],
  lines: readonly ReadableLine[],
  free: readonly ReadableLine[],
): void {
  if (drafts.length === 0) return;
  const places = new Map<number, number>();
  for (const [index, { printed }] of lines.entries()) if (!places.has(printed.start)) places.set(printed.start, index);
  const begun = new Set(drafts.flatMap(({ printed }) => places.get(printed.start) ?? []));
  const untaken = new Set(free);
  const isFree = (index: number): boolean => untaken.has(lines[index] ?? nowhere) && !begun.has(index);
  const inside = linesInValues(lines, isFree, (index) => begun.has(index));
  for (const draft of drafts) {
    const at = places.get(draft.printed.start);
    const own = at === undefined ? undefined : lines[at];
    if (at === undefined || !own) continue;
    const above = lines[at - 1];
    const entry = entryOf(own);
    const logged = entry ?? (above ? entryOf(above) : null);
    draft.level ??= entry?.level ?? own.carrier?.level ?? logged?.level ?? above?.carrier?.level ?? null;
    const isInside = own.inValue === true || inside.has(at) || opensValue(own.text.slice(0, startOf(own.text)));
    draft.logContext = {
      ...draft.logContext,
      inValue: draft.logContext.inValue || isInside,
      logged: logged !== null,
      at: own.carrier?.at ?? logged?.at ?? null,
    };
  }
  for (const draft of drafts) if (draft.logContext.inValue) markInValue(draft);
}

const nowhere: ReadableLine = { text: "", printed: { start: 0, end: 0 }, verbatimAt: null, carrier: null };

/** Marks an error and its whole chain as being inside a value. */
export function markInValue(draft: Draft): void {
  const head = headOf(draft);
  head.logContext = { ...head.logContext, inValue: true };
}

/** Returns the entry that a logger wrote on a line. The name of an error isn't a level: `Error: no stock`. */
function entryOf(line: ReadableLine): LineRecord | null {
  const header = parseHeader(line.text);
  if (header && isAtStart(line.text, header)) return null;
  return readRecord({ ...line, carrier: null });
}

const marks = ["Traceback (most recent", "panic: ", "Exception in thread "];

/** Returns the position in a line of the error that it names. */
function startOf(text: string): number {
  const starts = [parseHeader(text)?.start ?? -1, ...marks.map((mark) => text.indexOf(mark))].filter((at) => at >= 0);
  return starts.length === 0 ? 0 : Math.min(...starts);
}

const tailLinesMax = 200;
/** What a shell, container runtime, or package manager says about an exited process, and closing brackets. */
const ending =
  /^\s*(?:[}\])"'`;,]*|Node\.js v[\d.]{1,20}|exit status \d{1,3}|.{0,200}\bexit(?:ed)?(?: with)?(?: \(?code)? \d{1,3}\)?\.?|error Command failed.*|Process finished.*|Aborted.*|Segmentation fault.*|<\/?\w{1,12}>)\s*$/;

/** Marks the error after which the program printed nothing. */
export function markLast(drafts: readonly Draft[], lines: readonly ReadableLine[]): void {
  let last: Draft | null = null;
  for (const draft of drafts) if (last === null || draft.printed.end > last.printed.end) last = draft;
  if (last === null) return;
  const { end } = last.printed;
  for (const { text, printed, carrier } of lines.slice(-tailLinesMax).toReversed()) {
    if (printed.start < end) break;
    if (carrier?.app !== "npm" && !ending.test(text)) return;
  }
  const head = headOf(last);
  head.logContext = { ...head.logContext, endsText: true };
  const own = lines.find(({ printed }) => printed.start === head.printed.start);
  // An error below an informational line that ends the text wasn't logged with that line.
  if (own && entryOf(own) === null && own.carrier?.level == null && isOrdinary(head.level)) {
    head.level = null;
    head.logContext = { ...head.logContext, logged: false };
  }
}

function isOrdinary(level: Draft["level"]): boolean {
  return level !== null && severityOf(level) <= severityOf("info");
}

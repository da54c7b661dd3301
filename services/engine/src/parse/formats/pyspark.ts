import { attach, type Draft } from "../draft.ts";
import type { ReadableLine } from "../readable-line.ts";
import { Stretch } from "../stretch.ts";
import { pythonFormat } from "./python.ts";

/** The JVM's error in whose message Spark quotes the traceback of a worker. */
const quoting = /\bPythonException: (?=Traceback \(most recent call last\):$)/;
const jvmCall = /^\s+at [\w$./]{1,400}\(/;
const title = "Traceback (most recent call last):";
/** The longest traceback that is quoted, in lines. */
const quotedLinesMax = 400;

/** A traceback in the message of an error, and where the line that announces it begins. */
interface Quoted {
  readonly drafts: readonly Draft[];
  readonly start: number;
}

/** Lines that have one in place of each quoted traceback, with the name and message of its error. */
interface Unquoted {
  readonly lines: readonly ReadableLine[];
  readonly quoted: readonly Quoted[];
}

/** Reads the tracebacks that Spark quotes in the messages of the JVM's errors, and leaves the errors without them. */
export function withoutQuotedTracebacks(lines: readonly ReadableLine[]): Unquoted {
  const quoted: Quoted[] = [];
  const kept: ReadableLine[] = [];
  for (let index = 0; index < lines.length; index++) {
    const line = lines[index];
    if (!line) continue;
    const found = quoting.exec(line.text);
    const end = found ? endOf(lines, index + 1) : null;
    const drafts = end === null ? [] : readTraceback(lines.slice(index, end));
    const raised = drafts.findLast(({ parent }) => parent === null);
    if (!found || end === null || !raised) {
      kept.push(line);
      continue;
    }
    quoted.push({ drafts, start: line.printed.start });
    const named = [raised.type, raised.message.split("\n", 1)[0]].filter((part) => part !== "").join(": ");
    kept.push({ ...line, text: `${line.text.slice(0, -title.length)}${named}`, verbatimAt: null });
    index = end - 1;
  }
  return { lines: kept, quoted };
}

/** Returns the line of the first call of the JVM below a traceback. */
function endOf(lines: readonly ReadableLine[], from: number): number | null {
  for (let at = from; at < Math.min(from + quotedLinesMax, lines.length); at++)
    if (jvmCall.test(lines[at]?.text ?? "")) return at;
  return null;
}

function readTraceback([first, ...below]: readonly ReadableLine[]): readonly Draft[] {
  return first ? pythonFormat.read(new Stretch([{ ...first, text: title }, ...below])) : [];
}

/** Makes each traceback that Spark quotes, or prints below the error of the driver, the cause of that error. */
export function joinPySpark(drafts: Draft[], quoted: readonly Quoted[], lines: readonly ReadableLine[]): void {
  for (const { drafts: inner, start } of quoted) {
    const raised = inner.findLast(({ parent }) => parent === null);
    const outer = drafts.find(
      ({ type, printed }) => type.endsWith("PythonException") && printed.start <= start && start < printed.end,
    );
    // Spark repeats the stack of the worker as the cause of the driver's.
    const isRepeated = drafts.some(({ parent, type }) => parent === outer && type === raised?.type);
    const isBelow = quoted.some((other) => other.start > start && nameOf(other) === nameOf({ drafts: inner }));
    if (!raised || (outer ? isRepeated : isBelow)) continue;
    if (outer) attach(raised, outer, "cause");
    drafts.push(...inner);
  }
  joinBelow(drafts, lines);
}

function nameOf({ drafts }: Pick<Quoted, "drafts">): string {
  return drafts.map(({ type, message }) => `${type}: ${message}`).join("\n");
}

function joinBelow(drafts: readonly Draft[], lines: readonly ReadableLine[]): void {
  for (const outer of drafts.filter(
    ({ type, language }) => language === "python" && type.endsWith("PythonException"),
  )) {
    const next = lines.find(({ text, printed }) => printed.start >= outer.printed.end && text.trim() !== "");
    const inner = drafts.find(({ printed, parent }) => parent === null && printed.start === next?.printed.start);
    if (inner?.language === "python") attach(inner, outer, "cause");
  }
}

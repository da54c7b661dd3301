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
  const outers = outersByStart(drafts, quoted);
  const causes = typesByParent(drafts);
  const names = quoted.map(nameOf);
  const lastByName = new Map(names.map((name, index) => [name, index]));
  for (const [index, { drafts: inner, start }] of quoted.entries()) {
    const raised = inner.findLast(({ parent }) => parent === null);
    const outer = outers.get(start);
    if (!raised) continue;
    // Spark repeats the stack of the worker as the cause of the driver's.
    if (outer ? causes.get(outer)?.has(raised.type) : lastByName.get(names[index] ?? "") !== index) continue;
    if (outer) {
      attach(raised, outer, "cause");
      causes.set(outer, (causes.get(outer) ?? new Set()).add(raised.type));
    }
    drafts.push(...inner);
  }
  joinBelow(drafts, lines);
}

/** Returns the JVM's errors by the starts of the tracebacks that they quote. */
function outersByStart(drafts: readonly Draft[], quoted: readonly Quoted[]): ReadonlyMap<number, Draft> {
  const starts = quoted.map(({ start }) => start);
  const outers = new Map<number, Draft>();
  for (const draft of drafts) {
    if (!draft.type.endsWith("PythonException")) continue;
    for (let at = firstFrom(starts, draft.printed.start); at < starts.length; at++) {
      const start = starts[at] ?? 0;
      if (start >= draft.printed.end) break;
      if (!outers.has(start)) outers.set(start, draft);
    }
  }
  return outers;
}

/** Returns the names of the errors that each error has below it. */
function typesByParent(drafts: readonly Draft[]): Map<Draft, Set<string>> {
  const types = new Map<Draft, Set<string>>();
  for (const { parent, type } of drafts) if (parent) types.set(parent, (types.get(parent) ?? new Set()).add(type));
  return types;
}

function nameOf({ drafts }: Quoted): string {
  return drafts.map(({ type, message }) => `${type}: ${message}`).join("\n");
}

function joinBelow(drafts: readonly Draft[], lines: readonly ReadableLine[]): void {
  const outers = drafts.filter(({ type, language }) => language === "python" && type.endsWith("PythonException"));
  if (outers.length === 0) return;
  const starts = lines.filter(({ text }) => text.trim() !== "").map(({ printed }) => printed.start);
  const heads = new Map<number, Draft>();
  for (const draft of drafts)
    if (draft.parent === null && !heads.has(draft.printed.start)) heads.set(draft.printed.start, draft);
  for (const outer of outers) {
    const inner = heads.get(starts[firstFrom(starts, outer.printed.end)] ?? -1);
    if (inner?.language === "python" && inner.parent === null) attach(inner, outer, "cause");
  }
}

/** Returns the index of the first of some ascending numbers that isn't below a number. */
function firstFrom(ascending: readonly number[], least: number): number {
  let [from, to] = [0, ascending.length];
  while (from < to) {
    const middle = (from + to) >> 1;
    if ((ascending[middle] ?? 0) < least) from = middle + 1;
    else to = middle;
  }
  return from;
}

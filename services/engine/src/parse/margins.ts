import { call, callLike } from "./call-line.ts";
import type { Carrier } from "./carriers.ts";
import { indentOf } from "./indent.ts";
import { panelsIn, withoutPanels } from "./panels.ts";
import { cut, type ReadableLine } from "./readable-line.ts";
import { readRecord } from "./records/records.ts";

/** Fewer consecutive lines with the same mark aren't a quotation: `> ` is a prompt, `# ` a heading. */
const quotedLinesMin = { ">": 2, other: 3 } as const;
/** Maximum nesting of quotations. */
const quotationsMax = 5;
/** Fewer calls with the same log prefix are lines of their own. */
const headedCallsMin = 2;
const headUnitsMax = 260;

const mark = /^[ \t]{0,20}(>|[|│┃#*]|\/\/)(?: |$|(?<=>)(?!>>))/;

/**
 * Returns the width of the marks that quote each line: `> ` in emails and issues, `| ` and `│ ` in boxes, and `# `, `//
 * `, and `* ` in comments. A mark counts where several consecutive lines have it, so a part of a text can be a
 * quotation.
 */
export function quotationWidths(lines: readonly string[]): readonly number[] {
  const widths = lines.map(() => 0);
  for (let round = 0; round < quotationsMax; round++) {
    const unquoted = lines.map((line, index) => (widths[index] === 0 ? line : line.slice(widths[index])));
    const found: (RegExpExecArray | null)[] = unquoted.map((line) => mark.exec(line));
    for (const { from, to } of panelsIn(unquoted)) found.fill(null, from, to + 1);
    if (!addWidths(widths, found, lines)) break;
  }
  return widths;
}

/** Adds the marks of each run of lines that share one; returns whether there were any. */
function addWidths(widths: number[], found: readonly (RegExpExecArray | null)[], lines: readonly string[]): boolean {
  let hasAdded = false;
  for (let from = 0; from < found.length; ) {
    const kind = found[from]?.[1];
    let to = from + 1;
    while (to < found.length && found[to]?.[1] === kind) to++;
    const least = kind === ">" ? quotedLinesMin[">"] : quotedLinesMin.other;
    if (kind !== undefined && to - from >= least && !isGroupTree(lines, from, to)) {
      hasAdded = true;
      for (let index = from; index < to; index++)
        widths[index] = (widths[index] ?? 0) + (found[index]?.[0].length ?? 0);
    }
    from = to;
  }
  return hasAdded;
}

/** Python draws the members of an exception group as a tree of `|` and `+`. */
function isGroupTree(lines: readonly string[], from: number, to: number): boolean {
  const isBranch = (line: string | undefined): boolean => /^ {2,80}\+(?:-| Exception Group|-{2})/.test(line ?? "");
  return isBranch(lines[from - 1]) || isBranch(lines[to]);
}

/** Strips lines of what is around them: panels, indentation, or a log prefix on each of them. */
export function withoutMargins(lines: readonly ReadableLine[]): readonly ReadableLine[] {
  return withoutIndentation(withoutCommonIndentation(withoutHeads(withoutPanels(lines))));
}

/** Removes the indentation of a text whose lines are all indented. */
function withoutCommonIndentation(lines: readonly ReadableLine[]): readonly ReadableLine[] {
  const [first = "", ...others] = lines.flatMap(({ text }) => (text === "" ? [] : [text]));
  // The calls of a stack whose name was cut off keep theirs, and so does the tree of an exception group.
  const isCut = call.test(first.trim()) && !/^\s+goroutine /.test(first);
  if (!/^\s/.test(first) || isCut || /^ {2}\+ /.test(first)) return lines;
  const common = others.reduce(sharedStart, /^[ \t]*/.exec(first)?.[0] ?? "");
  if (common === "") return lines;
  return lines.map((line) => (line.text === "" ? line : cut(line, common.length)));
}

function sharedStart(one: string, other: string): string {
  let at = 0;
  while (at < one.length && one[at] === other[at]) at++;
  return one.slice(0, at);
}

/**
 * The first line of an error, which a program prints at the left edge. Go indents further lines of a panic's message by
 * a tab.
 */
const edge =
  /^(?: +(?=panic: |fatal error: |goroutine \d{1,12} \[)|[ \t]+(?=(?:Exception Group )?Traceback \(most recent call (?:last|first)\):?$|[A-Za-z_][\w.]{0,200}\s*Traceback \(most recent call last\)$|thread '[^']{0,80}' panicked at |_{8,200} \S.{0,200} _{8,200}$|Exception in thread ))/;

/** Removes the indentation of each error that is indented as a whole, like code in a document. */
function withoutIndentation(lines: readonly ReadableLine[]): readonly ReadableLine[] {
  let width = 0;
  return lines.map((line) => {
    const found = edge.exec(line.text);
    if (found && (width === 0 || found[0].length < width)) width = found[0].length;
    else if (width > 0 && line.text !== "" && indentOf(line.text) < width) width = 0;
    return width === 0 || line.text === "" ? line : cut(line, width);
  });
}

/**
 * A log prefix has a time or a level, is a name that ends in a colon, a bar, or a bracket, is a number in brackets, or names
 * a pod and its container.
 */
const headlike =
  /\d\d:\d\d:\d\d|\b(?:TRACE|DEBUG|INFO|NOTICE|WARN|WARNING|ERROR|CRITICAL|FATAL)\b|\[(?:debug|info|warn|error|fatal)\]|[A-Za-z].*[:|\]>]$|^\[\d{1,3}\]$|^[a-z\d][a-z\d.-]{0,200}-[a-z\d]{1,20} [\w.-]{1,80}$/;

/** The tree of an exception group between a log prefix and a call. */
const branch = / {3,80}\|$/;
const branchBefore = /^ {1,80}\| /;

/** Strips the log prefix from each line of a stack, where several consecutive calls have it. */
function withoutHeads(lines: readonly ReadableLine[]): readonly ReadableLine[] {
  const read = [...lines];
  const trees = headsOfTrees(lines);
  for (let index = 0; index < lines.length; index++) {
    const found = headOf(lines[index]?.text ?? "");
    const outer = found?.replace(branch, "") ?? null;
    const head = outer !== null && trees.has(shapeOf(outer)) ? outer : found;
    if (head === null) continue;
    const run = runOf(head, lines, index);
    for (let at = run.from; run.isStack && at < run.to; at++) {
      const line = lines[at];
      if (line) read[at] = headless(line, run.pattern);
    }
    index = run.to - 1;
  }
  return read;
}

/** Returns the shapes of what precedes the trees of exception groups. */
function headsOfTrees(lines: readonly ReadableLine[]): ReadonlySet<string> {
  const starts = lines.flatMap(({ text }) => {
    const at = text.slice(0, 2 * headUnitsMax).indexOf("  + Exception Group Traceback");
    return at < 0 ? [] : [shapeOf(text.slice(0, at).trim())];
  });
  return new Set(starts);
}

/** Returns a head without what differs from line to line. */
function shapeOf(head: string): string {
  return head.replace(/\d+/g, "0");
}

/** Returns what precedes the call that a line ends with; null when it isn't a log prefix. */
function headOf(text: string): string | null {
  if (text.length < 8 || !callLike.test(text)) return null;
  for (let at = text.search(/\s\S/); at >= 0 && at < headUnitsMax; at = nextWord(text, at + 1)) {
    const head = text.slice(0, at + 1).trim();
    if (head !== "" && call.test(text.slice(at + 1))) return headlike.test(head) ? head : null;
  }
  return null;
}

function nextWord(text: string, from: number): number {
  const found = text.slice(from, from + headUnitsMax).search(/\s\S/);
  return found < 0 ? -1 : from + found;
}

interface Run {
  readonly from: number;
  readonly to: number;
  readonly pattern: RegExp;
  /** Whether it is one error with its calls, rather than separate lines. */
  readonly isStack: boolean;
}

/** Returns the consecutive lines around one that share its prefix, ignoring numbers. */
function runOf(head: string, lines: readonly ReadableLine[], index: number): Run {
  const pattern = patternOf(head);
  const has = (at: number): boolean => pattern.test((lines[at]?.text ?? "").slice(0, 2 * headUnitsMax));
  let [from, to] = [index, index + 1];
  while (from > 0 && has(from - 1)) from--;
  while (to < lines.length && has(to)) to++;
  let calls = 0;
  for (let at = from; at < to; at++) {
    const text = lines[at]?.text ?? "";
    const said = text.slice(pattern.exec(text)?.[0].length ?? 0).replace(branchBefore, "");
    if (call.test(said.trim())) calls++;
  }
  return { from, to, pattern, isStack: calls >= headedCallsMin && to - from > calls };
}

function patternOf(head: string): RegExp {
  const escaped = head.replace(/[.*+?^${}()|[\]\\/]/g, String.raw`\$&`).replace(/\d+/g, String.raw`\d{1,20}`);
  return new RegExp(`^\\s{0,20}${escaped}(?:[ \\t]|$)`);
}

function headless(line: ReadableLine, pattern: RegExp): ReadableLine {
  const width = pattern.exec(line.text)?.[0].length ?? 0;
  const head = readRecord({ ...line, text: `${line.text.slice(0, width).trim()} x` });
  const carrier: Carrier = {
    at: head?.at ?? line.carrier?.at ?? null,
    app: head?.logger ?? line.carrier?.app ?? null,
    level: head?.level ?? line.carrier?.level ?? null,
  };
  return { ...cut(line, width), carrier };
}

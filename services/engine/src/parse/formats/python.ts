import type { ParsedFrame } from "../../findings/parsed-error.ts";
import type { LogLevel } from "../../signals/inputs/record.ts";
import type { Span } from "../../source/source-text.ts";
import { addFrame, type Draft, framesMax, newDraft } from "../draft.ts";
import { frameOrigin } from "../frame-origin.ts";
import { indentOf } from "../indent.ts";
import { normalizePath } from "../paths.ts";
import type { Stretch, TextFormat } from "../stretch.ts";
import {
  isBelowDivider,
  isLink,
  isOutermostGroup,
  isTree,
  readTracebacks,
  type Traceback,
  withoutTree,
} from "./python-chain.ts";
import { around, followsMessage } from "./python-message.ts";
import { isLeftOut, isNamedAbove, nameAbove } from "./python-name-above.ts";

/** Longest message, in lines. */
const messageLinesMax = 20;
/** Maximum lines of code and carets below a frame: Python 3.13 underlines multiline expressions. */
const codeLinesMax = 12;

/** Tracebacks, chained and grouped, and what a SyntaxError prints instead of one. */
export const pythonFormat: TextFormat = {
  name: "Python",
  language: "python",
  read: (stretch) => readTracebacks(stretch, (index) => readTraceback(stretch, index)),
};

/** What follows a call with its code within this many lines belongs to the same stack. */
const gapLinesMax = 3;

const title = /(?:^|\s)(?:Exception Group )?Traceback \(most recent call (?:last|first)\):$/;
/** Loguru marks the call that it logged. */
const frameLine = /^\s*(?:> )?File "([^"]{1,1000})", line (\d{1,9})(?:, in (.{1,300}))?$/;
const faultFrame = /^\s*File "([^"]{1,1000})", line (\d{1,9}) in (.{1,300})$/;
const faultTitle = /^(?:Current thread|Thread) 0x[0-9A-Fa-f]{1,16} .{0,80}\(most recent call first(?:, .{1,60})?\):$/;
/** `ValueError: text`, `app.errors.Declined`, `KeyError`. */
const raised = /^([A-Za-z_][\w.]{0,200})(?:: (.*)|(?<=Error|Exception|Exit|Interrupt|Warning):)?$/;
/** {@link raised}, unless it may as well be a line of code or a log level. */
const surelyRaised =
  /^(?!(?:DEBUG|INFO|WARN|WARNING|ERROR|CRITICAL|FATAL)\b)[A-Za-z_][\w.]{0,200}(?:: .*|(?:Error|Exception|Exit|Interrupt|Warning):?)$/;
/** {@link raised}, unless it may as well be prose. */
const namedAsError = /^[A-Za-z_][\w.]{0,200}(?:Error|Exception|Exit|Interrupt|Warning)(?:: .*)?$/;
/** A statement that is one word. */
const bareStatement = /^(?:return|pass|yield|raise|break|continue)$/;
/** What starts another stack. */
const anotherStack = /\(most recent call (?:last|first)\):$/;

function readTraceback(stretch: Stretch, index: number): Traceback | null {
  const text = stretch.text(index);
  if (
    !text.includes('File "') &&
    !text.includes("Traceback (") &&
    !text.includes("(most recent call first") &&
    !isTree(text)
  )
    return null;
  const { depth, rest } = withoutTree(text);
  if (faultTitle.test(rest)) return readFault(stretch, index);
  if (faultFrame.test(rest) && !isOfFault(stretch.text(index - 1))) return readFault(stretch, index - 1);
  if (title.test(rest)) return readFrames(stretch, index + 1, index, isOutermostGroup(text) ? 0 : depth);
  // A SyntaxError names the broken file without a title.
  if (frameLine.test(rest)) return readFrames(stretch, index, index, depth);
  // A member of a group that was never raised has no traceback.
  return depth > 0 && isBelowDivider(stretch, index) && raised.test(rest)
    ? readFrames(stretch, index, index, depth)
    : null;
}

function readFrames(stretch: Stretch, from: number, start: number, depth: number): Traceback | null {
  const frames: ParsedFrame[] = [];
  let at = from;
  let callIndent = 0;
  for (let code = 0; at < stretch.length && code <= codeLinesMax; at++) {
    const { rest } = withoutTree(stretch.text(at));
    const frame = parseFrame(rest, stretch, at);
    if (frame) frames.push(frame);
    // Recursion fills a log: the first and last calls are enough.
    if (frames.length > 2 * framesMax) frames.splice(framesMax, framesMax);
    code = frame ? 0 : code + 1;
    if (frame) callIndent = indentOf(rest);
    else if (isNameLeftOf(rest, callIndent) || (indentOf(rest) === 0 && !isWithinStack(stretch, at))) break;
  }
  const isIndented = isNameLeftOf(withoutTree(stretch.text(at)).rest, callIndent);
  const end = at;
  if (frames.length > 0 && !isIndented) at = lineOfName(stretch, at);
  const line = withoutTree(stretch.text(at)).rest;
  const isCutOff = from === start && isNamedAbove(stretch, start) && !isNamedBelow(stretch, end, at);
  const header = isCutOff ? null : raised.exec(isIndented ? line.trimStart() : line);
  if (!header?.[1] && frames.length === 0) return null;
  return finish(stretch, { start, at, depth, frames, header });
}

/** Returns whether an indented line names the error: it is less indented than the calls above, as their code never is. */
function isNameLeftOf(text: string, callIndent: number): boolean {
  const indent = indentOf(text);
  return indent > 0 && indent < callIndent && surelyRaised.test(text.trimStart());
}

/**
 * Returns whether an unindented line still belongs to a stack: code with a line break or without indentation, a blank
 * line between two calls, or a placeholder for omitted calls.
 */
function isWithinStack(stretch: Stretch, at: number): boolean {
  for (let line = at; line < Math.min(at + gapLinesMax, stretch.length); line++) {
    const { rest } = withoutTree(stretch.text(line));
    if (frameLine.test(rest)) return true;
    if (surelyRaised.test(rest) || anotherStack.test(rest) || isLink(rest)) return false;
  }
  return false;
}

/** Returns the line that names the error: where the stack ends, or soon below that. */
function lineOfName(stretch: Stretch, at: number): number {
  const textAt = (line: number): string => withoutTree(stretch.text(line)).rest;
  const text = textAt(at);
  if (text === "") return namedAsError.test(textAt(at + 1)) ? at + 1 : at;
  if (raised.test(text) && !bareStatement.test(text)) return at;
  return [at + 1, at + 2].find((line) => surelyRaised.test(textAt(line))) ?? at;
}

/** Returns whether a line below calls names their error, and not that of more calls below it. */
function isNamedBelow(stretch: Stretch, end: number, at: number): boolean {
  const name = at === end ? surelyRaised : namedAsError;
  const next = withoutTree(stretch.text(at + 1)).rest;
  return name.test(withoutTree(stretch.text(at)).rest.trim()) && !frameLine.test(next) && !isLeftOut(next);
}

interface Read {
  readonly start: number;
  readonly at: number;
  readonly depth: number;
  /** Outermost first, as printed. */
  readonly frames: readonly ParsedFrame[];
  readonly header: RegExpExecArray | null;
}

/** A traceback that is cut off has frames and no name. */
function finish(stretch: Stretch, { start, at, depth, frames, header }: Read): Traceback {
  const next = header ? endOfMessage(stretch, at) : at;
  const above = header ? null : nameAbove(stretch, start);
  if (above) stretch.take(above.line);
  const { type, message } = above ?? { type: header?.[1] ?? "Exception", message: header?.[2] ?? "" };
  const draft = newDraft(type, message, stretch.span(above?.line ?? start, Math.max(next - 1, start)), {
    language: "python",
    ...contextAbove(stretch, start),
  });
  if (header && next > at + 1) draft.message = messageLines(stretch, at, next, draft.message);
  for (const frame of frames.toReversed()) addFrame(draft, frame);
  const site = draft.frames[0];
  const isSyntax = /(?:Syntax|Indentation|Tab)Error$/.test(draft.type);
  if (isSyntax && site?.file && site.line) draft.throwSite = { file: site.file, line: site.line, column: null };
  const errno = /^\[(?:Errno|WinError) (-?\d{1,9})\] /.exec(draft.message);
  if (errno) draft.properties.errno = Number(errno[1]);
  return { draft, depth, next: Math.max(next, start + 1) };
}

function parseFrame(rest: string, stretch: Stretch, at: number): ParsedFrame | null {
  const found = frameLine.exec(withUnderscores(rest)) ?? faultFrame.exec(withUnderscores(rest));
  if (!found?.[1]) return null;
  const file = found[1] === "<string>" || found[1] === "<stdin>" ? null : normalizePath(found[1]);
  const name = found[3] === undefined || found[3] === "<module>" ? null : found[3];
  return {
    function: name,
    file,
    line: Number(found[2]) || null,
    column: null,
    origin: frameOrigin(file, "python"),
    async: false,
    printed: stretch.line(at)?.printed ?? null,
    context: null,
    ...codeBelow(stretch, at),
  };
}

/** `__init__`, which Markdown shows in bold and a copy of it has as `**init**`, where no power is meant. */
const bold = /(?<=^|[/\\."[(]|, in )\*\*(?=[A-Za-z])(\w{1,60})\*\*/g;
/** {@link bold} in code, where what follows a quote is a text. */
const boldInCode = /(?<=^|[.[(])\*\*(?=[A-Za-z])(\w{1,60})\*\*/g;

function withUnderscores(line: string, names = bold): string {
  return line.includes("**") ? line.replace(names, "__$1__") : line;
}

/** Carets, and placeholders for omitted frames or lines. */
const notCode = /^(?:File "|[~^]+$|\.\.\.<|\[Previous line)/;

function codeBelow(stretch: Stretch, at: number): Pick<ParsedFrame, "code" | "marked"> {
  if (at + 1 >= stretch.length) return {};
  const { rest } = withoutTree(stretch.text(at + 1));
  const code = withUnderscores(rest.trim(), boldInCode);
  // Where no line kept its indentation, code has none.
  const isEnd = indentOf(rest) === 0 && (indentOf(stretch.text(at)) > 0 || raised.test(code));
  if (isEnd || code === "" || notCode.test(code)) return {};
  const marked = at + 2 < stretch.length ? markedIn(rest, withoutTree(stretch.text(at + 2)).rest) : null;
  return marked ? { code, marked } : { code };
}

/** Returns what carets mark of the line above them, since Python 3.11. */
function markedIn(line: string, carets: string): Span | null {
  const [, before = "", marks = ""] = /^(\s*)([~^]+)\s*$/.exec(carets) ?? [];
  const start = before.length - indentOf(line);
  return marks === "" || start < 0 ? null : { start, end: start + marks.length };
}

function endOfMessage(stretch: Stretch, at: number): number {
  let next = at + 1;
  const type = withoutTree(stretch.text(at)).rest;
  const isNext = (): boolean => followsMessage(type, stretch.text(next), around(stretch, next));
  while (next < at + messageLinesMax && isNext()) next++;
  return next;
}

function messageLines(stretch: Stretch, at: number, next: number, first: string): string {
  const more = Array.from({ length: next - at - 1 }, (_, offset) =>
    withoutTree(stretch.text(at + 1 + offset)).rest.trim(),
  );
  return [first, ...more].join("\n").trim();
}

function isOfFault(text: string): boolean {
  return faultTitle.test(text) || faultFrame.test(text);
}

/**
 * `faulthandler` prints the innermost call first, and the cause above all threads. Without a cause, it was asked for a
 * dump: that of the current thread is read, or of the only one.
 */
function readFault(stretch: Stretch, index: number): Traceback | null {
  const frames: ParsedFrame[] = [];
  let at = index + 1;
  for (
    let frame = parseFrame(stretch.text(at), stretch, at);
    frame;
    frame = parseFrame(stretch.text(at), stretch, at)
  ) {
    frames.push(frame);
    at++;
  }
  const titleLine = [index - 1, index - 2, index - 3].find((line) =>
    stretch.text(line).startsWith("Fatal Python error: "),
  );
  const above = titleLine === undefined ? undefined : stretch.text(titleLine);
  if (titleLine !== undefined) stretch.take(titleLine);
  const isOther = above === undefined && stretch.text(index).startsWith("Thread ");
  if (frames.length === 0 || isOther) return null;
  const draft = newDraft(
    above === undefined ? "Exception" : "Fatal Python error",
    above?.slice("Fatal Python error: ".length) ?? "",
    stretch.span(Math.max(index, 0), at - 1),
    { language: "python", fatal: above !== undefined },
  );
  for (const frame of frames) addFrame(draft, frame);
  return { draft, depth: 0, next: at };
}

/**
 * Returns what the interpreter prints above a traceback that it reports but can't raise, such as one in a destructor.
 */
function contextAbove(stretch: Stretch, start: number): { level?: LogLevel; properties?: Draft["properties"] } {
  const above = [stretch.text(start - 1), stretch.text(start - 2)];
  if (above.some((text) => text.startsWith("Exception ignored in"))) return { level: "warn" };
  const loop = above.find((text) =>
    /^(?:Task exception was never retrieved|Exception in callback|Unhandled exception in event loop)/.test(text),
  );
  return loop === undefined ? {} : { properties: { asyncio: loop.slice(0, 200) } };
}

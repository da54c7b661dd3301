import type { ParsedFrame } from "../../findings/parsed-error.ts";
import { telling } from "../../words/telling.ts";
import { addFrame, attach, type Draft, extend, newDraft } from "../draft.ts";
import { frameOrigin } from "../frame-origin.ts";
import { normalizePath } from "../paths.ts";
import { readRecord } from "../records/records.ts";
import { type Found, readEach, type Stretch, type TextFormat } from "../stretch.ts";
import { readRecovered } from "./go-recovered.ts";

/** Maximum lines of a panic's message, including nested panics. */
const messageLinesMax = 20;
/** Maximum blank lines and signals between a panic and its goroutine. */
const gapLinesMax = 6;

/** Panics and fatal errors with their goroutines, races, and the stacks that gin, pkg/errors, and zap print. */
export const goFormat: TextFormat = {
  name: "Go",
  language: "go",
  read: (stretch) =>
    readEach(
      stretch,
      (index) =>
        readRecovered(stretch, index) ??
        readPanic(stretch, index) ??
        readRace(stretch, index) ??
        readStack(stretch, index),
    ),
};

const panicLine = /^(?:.{0,200}?\s)?(panic|fatal error): (.*)$/;
const byRuntime = /^(?:panic|fatal error): /;
const served = /http: panic serving [^ ]{1,100}: (.*)$/;
export const goroutine = /^goroutine (\d{1,12})(?: gp=\S{1,40} m=\S{1,40}(?: mp=\S{1,40})?)? \[([^\]]{1,100})\]:$/;
/**
 * Copying from a web page takes the indentation; what tells a place without it from prose is a folder or an offset.
 * Before Go 1.5, the runtime was written in C.
 */
const placeLine =
  /^(?:\s+|(?=(?:[A-Za-z]:)?[^\s:/\\]{0,200}[/\\][^\s:]{1,1000}:\d|\S{1,1000} \+0x))((?:[A-Za-z]:)?[^\s:][^:]{0,1000}\.(?:go|s|y|c)):(\d{1,9})(?: \+0x[0-9a-f]{1,16})?(?: fp=0x\S{1,16} sp=0x\S{1,16}(?: pc=0x\S{1,16})?)?$/;
/** A place that only a stack prints; others print places that are indented, too. */
const stackPlace = /^\t|\.(?:go|s):\d{1,9} \+0x/;
const functionName = /^[\w./\-·~%*()[\]{}]{1,400}$/;

function readPanic(stretch: Stretch, index: number): Found | null {
  const text = stretch.text(index);
  const header = text.includes("panic") || text.includes("fatal error: ") ? headerOf(text) : null;
  if (!header) return null;
  const rest = readMessage(stretch, index);
  const start = goroutineBelow(stretch, rest.next);
  // Others print `panic: ` too, so without a goroutine below it, it counts only at the start of a line.
  if (start === null && !byRuntime.test(text)) return null;
  const head = newDraft(header.type, header.message, stretch.span(index, rest.next - 1), {
    language: "go",
    fatal: header.fatal,
  });
  if (rest.signal) head.properties.signal = rest.signal;
  const drafts = chainOf(head, rest.nested);
  const stack = start === null ? null : readGoroutines(stretch, start);
  // Calls above `panic` were made while it unwound: by what recovered it and printed it, or by a deferred function.
  const isLogged = !byRuntime.test(text) && !served.test(text);
  const calls = stack?.frames ?? [];
  for (const frame of isLogged ? calls.slice(Math.max(panicIn(calls), 0)) : calls) addFrame(head, frame);
  const unwound = panicIn(head.frames);
  for (const cause of drafts.slice(1)) cause.frames = head.frames.slice(unwound + 1);
  if (stack?.state) head.properties.goroutine = stack.state;
  if (stack && stack.others > 0) head.properties.other_goroutines = stack.others;
  return { drafts, next: stack?.next ?? rest.next };
}

function panicIn(frames: readonly ParsedFrame[]): number {
  return frames.findIndex(({ function: name }) => name === "panic");
}

const raceLine = /^\s*WARNING: DATA RACE$/;
/** `Write at 0x00c0000a by goroutine 7:`, `Previous read at …`, and where a goroutine was started. */
const accessLine =
  /^\s*(?:(?:Previous )?(?:atomic )?(?:read|write) at 0x[\da-f]{1,16} by (?:main )?goroutine.{0,20}|Goroutine \d{1,12} .{1,40}|\[failed to restore the stack\])$/i;

/** Reads what the race detector prints: the access that it noticed comes first. */
function readRace(stretch: Stretch, index: number): Found | null {
  if (!raceLine.test(stretch.text(index)) || !accessLine.test(stretch.text(index + 1))) return null;
  const { frames, next } = readPairs(stretch, index + 2);
  let end = next;
  while (end < stretch.length && (stretch.text(end) === "" || accessLine.test(stretch.text(end))))
    end = readPairs(stretch, end + 1).next;
  const head = newDraft(
    "DATA RACE",
    stretch
      .text(index + 1)
      .trim()
      .replace(/:$/, ""),
    stretch.span(index, end - 1),
    // The word in front of it is no level of a log.
    { language: "go", level: "error" },
  );
  for (const frame of frames) addFrame(head, frame);
  return { drafts: [head], next: end };
}

function headerOf(text: string): { type: string; message: string; fatal: boolean } | null {
  const serving = served.exec(text);
  if (serving) return { type: "panic", message: withoutMarks(serving[1] ?? ""), fatal: false };
  const found = panicLine.exec(text);
  return found?.[1] ? { type: found[1], message: withoutMarks(found[2] ?? ""), fatal: true } : null;
}

/** Strips `[recovered]` and `[recovered, repanicked]`, which aren't part of the message. */
function withoutMarks(message: string): string {
  return message.replace(/ \[recovered(?:, repanicked)?\]$/, "");
}

/** Reads the lines between a panic and its goroutine: more of the message, panics raised while unwinding, a signal. */
function readMessage(stretch: Stretch, index: number): { next: number; nested: string[]; signal: string | null } {
  const nested: string[] = [];
  let signal: string | null = null;
  let next = index + 1;
  for (; next < index + messageLinesMax; next++) {
    const text = stretch.text(next);
    const isRecovered = stretch.text(next - 1).endsWith(" [recovered]");
    const again = (isRecovered ? /^\t?panic: (.*)$/ : /^\tpanic: (.*)$/).exec(text);
    if (again) nested.push(withoutMarks(again[1] ?? ""));
    else if (text.startsWith("[signal ")) signal = text.slice(1, 200).split(":", 1)[0]?.replace("signal ", "") ?? null;
    else break;
  }
  return { next, nested, signal };
}

/** The panic that is printed first was raised first; those below it were raised while it unwound. */
function chainOf(head: Draft, nested: readonly string[]): Draft[] {
  const drafts = [head];
  for (const message of nested.slice(0, 1)) {
    const cause = newDraft("panic", head.message, head.printed, { language: "go" });
    head.message = message;
    attach(cause, head, "context");
    drafts.push(cause);
  }
  return drafts;
}

function goroutineBelow(stretch: Stretch, from: number): number | null {
  // A stack overflow shows the runtime's own stack first.
  const isOwn = stretch.text(from + 1) === "runtime stack:";
  const first = isOwn ? readPairs(stretch, from + 2).next : from;
  for (let at = first; at < first + gapLinesMax; at++) {
    const text = stretch.text(at);
    if (goroutine.test(text)) return at;
    if (text !== "" && !/^(?:\s|\[|runtime|goroutine|stack trace)/i.test(text)) return null;
  }
  return null;
}

interface Goroutines {
  readonly frames: readonly ParsedFrame[];
  readonly state: string | null;
  readonly others: number;
  readonly next: number;
}

/** Reads the first goroutine, which failed, and counts the others. */
function readGoroutines(stretch: Stretch, start: number): Goroutines {
  const first = readPairs(stretch, start + 1);
  let next = first.next;
  let others = 0;
  for (let at = next; at < next + 3 && at < stretch.length; at++) {
    if (!goroutine.test(stretch.text(at))) continue;
    next = readPairs(stretch, at + 1).next;
    at = next - 1;
    others++;
  }
  return { frames: first.frames, state: goroutine.exec(stretch.text(start))?.[2] ?? null, others, next };
}

/** Reads pairs of lines: a function, and its place below. */
export function readPairs(stretch: Stretch, from: number): { frames: ParsedFrame[]; next: number } {
  const frames: ParsedFrame[] = [];
  let at = from;
  for (; at < stretch.length; at++) {
    const frame = framePair(stretch, at);
    if (frame) {
      frames.push(frame);
      at++;
    } else if (!/^\.\.\.\d{0,9} ?(?:additional )?frames elided/.test(stretch.text(at))) break;
  }
  return { frames, next: at };
}

function framePair(stretch: Stretch, at: number): ParsedFrame | null {
  const below = stretch.text(at + 1);
  const place = below.includes(".") ? placeLine.exec(below) : null;
  const name = place ? calledFunction(stretch.text(at).trim()) : null;
  if (!place?.[1] || name === null) return null;
  const file = normalizePath(place[1]);
  return {
    function: name.slice(name.lastIndexOf("/") + 1),
    file,
    line: Number(place[2]) || null,
    column: null,
    origin: name === "panic" ? "runtime" : frameOrigin(file, "go", name),
    async: stretch.text(at).startsWith("created by "),
    printed: stretch.span(at, at + 1),
    context: null,
  };
}

/**
 * Returns `main.(*Cart).First` for `main.(*Cart).First({0x1, 0x2}, ...)` and for `created by main.(*Cart).First in
 * goroutine 7`.
 */
function calledFunction(line: string): string | null {
  const goroutineAt = line.lastIndexOf(" in goroutine ");
  const call = line.slice(
    line.startsWith("created by ") ? "created by ".length : 0,
    goroutineAt < 0 ? undefined : goroutineAt,
  );
  const name = call.endsWith(")") ? call.slice(0, openingOf(call)) : call;
  return functionName.test(name) ? name : null;
}

/** Returns the position of the parenthesis that the last character closes. */
function openingOf(call: string): number {
  let depth = 0;
  for (let at = call.length - 1; at > 0; at--) {
    if (call[at] === ")") depth++;
    else if (call[at] === "(") depth--;
    if (depth === 0) return at;
  }
  return call.length;
}

/** What `go test` prints before the message of a test. */
const inTest = /^[^\s:]{1,300}\.go:\d{1,9}: /;

/** Returns the message of a log line; null where a line isn't one. */
function loggedAt(stretch: Stretch, index: number): string | null {
  const line = stretch.line(index);
  return (line && readRecord(line)?.message) ?? null;
}

/** Reads a goroutine's stack on its own, or the pairs below an error's text that `%+v` of pkg/errors prints. */
function readStack(stretch: Stretch, index: number): Found | null {
  const text = stretch.text(index);
  if (!goroutine.test(text) && !(stackPlace.test(stretch.text(index + 1)) && framePair(stretch, index))) return null;
  const isDump = goroutine.test(text);
  const stack = isDump ? readGoroutines(stretch, index) : readPairs(stretch, index);
  // Goroutines without a stack are scanned only once.
  if (stack.frames.length === 0) return isDump ? { drafts: [], next: Math.max(stack.next, index + 1) } : null;
  const isCut = placeLine.test(stretch.text(index - 1));
  // What recovered from a panic prints its own calls first.
  const unwound = isDump ? panicIn(stack.frames) : -1;
  // A program that prints its own stack prints its error in front of it.
  const isByRuntime = isDump && stack.frames[0]?.function !== "debug.Stack";
  // Where it prints nothing but the stack, anything may be above.
  const isBare = isDump && unwound < 0 && stack.frames[1]?.function === "debug.PrintStack";
  const saidAbove = stretch.text(index - 1).trim();
  const above = isByRuntime || isCut || (isBare && !telling.test(saidAbove)) ? "" : saidAbove;
  const draft = newDraft(
    unwound >= 0 ? "panic" : isDump && above === "" ? "goroutine" : "error",
    isDump && above === "" ? text.slice(0, -1) : (loggedAt(stretch, index - 1) ?? above.replace(inTest, "")),
    stretch.span(index, stack.next - 1),
    { language: "go" },
  );
  for (const frame of stack.frames.slice(Math.max(unwound, 0))) addFrame(draft, frame);
  if (above !== "") {
    extend(draft, stretch.span(index - 1));
    stretch.take(index - 1);
  }
  return { drafts: [draft], next: stack.next };
}

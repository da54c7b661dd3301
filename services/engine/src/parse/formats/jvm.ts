import { addFrame, attach, type Draft, draftsMax, extend, newDraft } from "../draft.ts";
import { indentOf } from "../indent.ts";

import type { Stretch, TextFormat } from "../stretch.ts";
import { parseJvmFrame } from "./jvm-frame.ts";

/** Longest message, in lines. */
const messageLinesMax = 30;

/**
 * Stack traces of Java, Kotlin, and Scala, with causes, suppressed errors, root causes printed first, and jar names
 * added by loggers.
 */
export const jvmFormat: TextFormat = {
  name: "Java, Kotlin, Scala",
  language: "jvm",
  read(stretch) {
    const reader = new JvmReader(stretch);
    for (let index = 0; index < stretch.length; index++) reader.read(index);
    return reader.drafts;
  },
};

interface Opened {
  readonly draft: Draft;
  readonly indent: number;
  readonly line: number;
}

const marker = /^(Caused by|Suppressed|Wrapped by): /;
/** Omitted calls, and where Jenkins joins the stacks of two machines. */
const filler =
  /^(?:\.\.\. \d{1,6} (?:more|common frames omitted|frames? (?:truncated|excluded))|at \.{6}remote call to .{1,200}\(Native Method\)$)/;
/** What a thread dump prints below a call that holds or waits for a lock. */
const monitor = /^- (?:locked|eliminated|waiting on|waiting to lock|parking to wait for) +</;
/** The seed of a test's random values, which the test runner of Lucene and Elasticsearch prints above the calls. */
const seed = /^at __randomizedtesting\.SeedInfo\.seed\(\[[\dA-F:]{1,80}\]:0\)$/;
/** A call whose end was cut off. */
const cutCall = /^at [\w$]{1,200}(?:\.[\w$<>]{1,200}){0,30}\.?(?:\([\w$.]{0,200}(?::\d{0,7})?)?$/;
/** `java.lang.IllegalStateException: text`, `Main$StoreException`. */
const name = /^((?:[a-z_][\w-]{0,60}\.){0,14}[A-Z][\w$]{0,150})(?:: (.*)|:)?$/;
/** The same within a line that starts with a log prefix. */
const nameWithin =
  /(?:^|[\s"\](])((?:[a-z_][\w]{0,60}\.){1,14}[A-Z][\w$]{0,150}(?:Exception|Error|Throwable|Failure)|[A-Z][\w$]{0,150}(?:Exception|Error))(?:: (.*)|:?$)/;
/** What `java.util.logging` prints before the message of a record, on the line above an error. */
const level = /^(?:SEVERE|WARNING|INFO|CONFIG|FINE|FINER|FINEST|ERROR|WARN|DEBUG|TRACE|FATAL)$/;
/** What failed, behind Spark's name of the task: `(TID 17, worker-2): java.lang.NullPointerException`. */
const quotedName = /: ((?:[a-z_][\w-]{0,60}\.){1,14}[A-Z][\w$]{0,150})(?:: ([\s\S]*))?$/m;
const uncaught = /^Exception in thread "([^"]{0,200})" /;

class JvmReader {
  readonly drafts: Draft[] = [];
  readonly #stretch: Stretch;
  #current: Opened | null = null;
  /** The last error at each indentation of the current trace. */
  #trace: readonly Opened[] = [];
  #consumed = -1;
  /** Whether frames of the current error have been seen. */
  #hasFrames = false;
  /** The last error without a marker, and a name further up whose message may only quote it. */
  #named: { readonly opened: Opened; readonly outer: NamedLine | null } | null = null;
  /** The error that Spark quoted last, and where it and its causes are in the drafts. */
  #quoted: { readonly head: Draft; readonly at: number; readonly count: number } | null = null;

  constructor(stretch: Stretch) {
    this.#stretch = stretch;
  }

  read(index: number): void {
    const text = this.#stretch.text(index);
    const trimmed = text.trim();
    if (this.#readFrame(index, trimmed)) return;
    if (this.#current && marker.test(trimmed)) {
      this.#readMarked(index, text, trimmed);
      return;
    }
    if (this.#current && (filler.test(trimmed) || monitor.test(trimmed) || this.#isCutCall(index, trimmed))) {
      this.#take(index);
      return;
    }
    // Lines of a message may come between a marked header and its frames.
    const isWaiting = this.#current && !this.#hasFrames && index - this.#current.line < messageLinesMax;
    if (!isWaiting || trimmed === "") this.#current = null;
  }

  /** Whether a line is the rest of a call between two others. */
  #isCutCall(index: number, trimmed: string): boolean {
    return (
      this.#hasFrames && cutCall.test(trimmed) && parseJvmFrame(this.#stretch.text(index + 1).trim(), null) !== null
    );
  }

  #readFrame(index: number, trimmed: string): boolean {
    const frame = parseJvmFrame(trimmed, this.#stretch.line(index)?.printed ?? null);
    if (!frame) return false;
    if (!this.#current) this.#begin(index);
    if (!this.#current) return false;
    if (!this.#hasFrames) this.#finishMessage(this.#current, index);
    this.#hasFrames = true;
    addFrame(this.#current.draft, frame);
    this.#take(index);
    return true;
  }

  /** Starts a trace, in the lines above its first frame. */
  #begin(frameIndex: number): void {
    const [nearest, ...further] = this.#namesAbove(frameIndex);
    // The JVM itself prints uncaught errors, so any name below belongs to the message.
    const uncaught = [nearest, ...further].find((one) => one?.header.fatal);
    const named = uncaught ?? nearest;
    if (!named) {
      if (this.#continue(frameIndex) || this.#continueSpark(frameIndex)) return;
      // A trace that is cut off at the top has frames and no name.
      if (this.#stretch.isFree(frameIndex - 1) && /^\s*at /.test(this.#stretch.text(frameIndex - 1))) return;
    }
    const { header, line } = named ?? { header: nameless, line: frameIndex };
    this.#open(header, line, named ? indentOf(this.#stretch.text(line)) : 0);
    const outer = uncaught && uncaught !== nearest ? uncaught : (further[0] ?? null);
    this.#named = this.#current && { opened: this.#current, outer };
  }

  /** Returns the names in the lines above a frame, the nearest first. */
  #namesAbove(frameIndex: number): NamedLine[] {
    const names: NamedLine[] = [];
    const floor = Math.max(this.#consumed + 1, frameIndex - messageLinesMax);
    for (let line = frameIndex - 1; line >= floor; line--) {
      const text = this.#stretch.text(line);
      if (text === "" && (line < frameIndex - 1 || names.length > 0)) break;
      const header = headerOf(text);
      if (header) names.push({ header, line });
    }
    return names;
  }

  /** Frames without a name continue the stack above, whose message quotes what looked like a name. */
  #continue(frameIndex: number): boolean {
    const { opened, outer } = this.#named ?? {};
    if (!opened || !outer || frameIndex - this.#consumed > messageLinesMax) return false;
    for (let at = this.#consumed + 1; at < frameIndex; at++) if (this.#stretch.text(at) === "") return false;
    const { type, message, fatal } = outer.header;
    Object.assign(opened.draft, { type, message, fatal, frames: [] });
    this.#stretch.take(outer.line, frameIndex);
    this.#current = opened;
    this.#hasFrames = true;
    this.#named = null;
    return true;
  }

  /** Spark quotes the stack of the machine that failed in the message, and prints its own below that. */
  #continueSpark(frameIndex: number): boolean {
    if (this.#stretch.text(frameIndex - 1) !== "Driver stacktrace:") return false;
    const aborted = abortedBy(this.#trace.at(-1)?.draft ?? null);
    if (!aborted || this.#quoted?.head.parent === aborted) return false;
    this.#stretch.take(frameIndex - 1);
    const at = this.drafts.lastIndexOf(aborted) + 1;
    const head = quotedIn(aborted);
    for (const cause of this.drafts.slice(at)) if (cause.parent === aborted) cause.parent = head;
    this.drafts.splice(at, 0, head);
    this.#quoted = { head, at, count: this.drafts.length - at };
    this.#current = { draft: aborted, indent: this.#trace[0]?.indent ?? 0, line: frameIndex - 1 };
    this.#trace = [this.#current];
    this.#hasFrames = true;
    return true;
  }

  /** Drops the stack that Spark quoted where the cause below its own stack repeats it. */
  #dropRepeated(cause: Draft): void {
    const quoted = this.#quoted;
    if (quoted?.head.type !== cause.type || quoted.head.parent !== cause.parent) return;
    this.drafts.splice(quoted.at, quoted.count);
    this.#quoted = null;
  }

  #open(header: JvmHeader, line: number, indent: number): void {
    if (this.drafts.length >= draftsMax) return;
    const draft = newDraft(header.type, header.message, this.#stretch.span(line), {
      language: "jvm",
      fatal: header.fatal,
    });
    this.#current = { draft, indent, line };
    this.#hasFrames = false;
    this.#trace = [this.#current];
    this.drafts.push(draft);
  }

  #readMarked(index: number, text: string, trimmed: string): void {
    const kind = marker.exec(trimmed)?.[1];
    const said = trimmed.slice(trimmed.indexOf(": ") + 2);
    // A class may print itself without its name.
    const header = headerOf(said) ?? { ...nameless, message: said.trim() };
    if (!kind) return;
    const before = this.#trace;
    const indent = indentOf(text);
    this.#open(header, index, indent);
    const opened = this.#current;
    if (opened?.line !== index) return;
    const open = before.filter((other) => other.indent < indent || (kind === "Caused by" && other.indent > indent));
    this.#trace = [...open, opened];
    relate(opened, before, kind);
    this.#dropRepeated(opened.draft);
    this.#take(index);
  }

  #finishMessage({ draft, line }: Opened, frameIndex: number): void {
    const more: string[] = [];
    for (let at = line + 1; at < frameIndex; at++) more.push(this.#stretch.text(at).trim());
    draft.message = [draft.message, ...more.filter((text) => !seed.test(text))].join("\n").trim();
    this.#stretch.take(line, frameIndex);
    extend(draft, this.#stretch.span(line, frameIndex));
  }

  #take(index: number): void {
    if (this.#current) extend(this.#current.draft, this.#stretch.span(index));
    this.#stretch.take(index);
    this.#consumed = index;
  }
}

/** Returns the error that says that a stage failed, in whose message another one is quoted. */
function abortedBy(quoted: Draft | null): Draft | null {
  let draft = quoted;
  while (draft && !draft.message.startsWith("Job aborted due to stage failure: ")) draft = draft.parent;
  return draft;
}

/** Moves the calls of the error that is quoted in another one's message to an error of its own, its cause. */
function quotedIn(aborted: Draft): Draft {
  const [, type = nameless.type, message = ""] = quotedName.exec(aborted.message) ?? [];
  const { frames, printed } = aborted;
  const quoted = newDraft(type, message, printed, { language: "jvm", frames });
  aborted.frames = [];
  attach(quoted, aborted, "cause");
  return quoted;
}

/** Suppressed errors are indented below the one that suppressed them; a cause is indented as far as what it caused. */
function relate(opened: Opened, trace: readonly Opened[], kind: string): void {
  if (kind === "Suppressed") {
    const parent = trace.findLast(({ indent }) => indent < opened.indent);
    if (parent) attach(opened.draft, parent.draft, "suppressed");
    return;
  }
  const near =
    trace.findLast(({ indent }) => indent === opened.indent) ?? trace.findLast(({ indent }) => indent < opened.indent);
  if (!near) return;
  if (kind === "Caused by") attach(opened.draft, near.draft, "cause");
  // Some loggers print the root cause first.
  else attach(near.draft, opened.draft, "cause");
}

interface NamedLine {
  readonly header: JvmHeader;
  readonly line: number;
}

interface JvmHeader {
  readonly type: string;
  readonly message: string;
  readonly fatal: boolean;
}

const nameless: JvmHeader = { type: "Exception", message: "", fatal: false };

function headerOf(text: string): JvmHeader | null {
  const trimmed = text.trim().slice(0, 4_000);
  const thread = uncaught.exec(trimmed);
  const found =
    name.exec(thread ? trimmed.slice(thread[0].length) : trimmed) ?? (thread ? null : nameWithin.exec(trimmed));
  if (!found?.[1] || level.test(found[1])) return null;
  return { type: found[1], message: found[2] ?? "", fatal: thread !== null };
}

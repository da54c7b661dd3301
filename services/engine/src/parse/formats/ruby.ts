import type { ParsedFrame } from "../../findings/parsed-error.ts";
import { addFrame, attach, type Draft, extend, newDraft } from "../draft.ts";
import { frameOrigin } from "../frame-origin.ts";
import { normalizePath } from "../paths.ts";
import type { Stretch, TextFormat } from "../stretch.ts";
import { errorAboveCalls, typeAboveMessage } from "./ruby-header.ts";

/** How many lines above the first frame Rails uses for the error and the code around it. */
const headerLinesMax = 14;
const messageLinesMax = 10;

/** Backtraces in both orders, with causes, and logs of Rails and Sidekiq. */
export const rubyFormat: TextFormat = {
  name: "Ruby",
  language: "ruby",
  read(stretch) {
    const drafts: Draft[] = [];
    let consumed = -1;
    let last: { draft: Draft; next: number } | null = null;
    for (let index = 0; index < stretch.length; ) {
      if (!parseRubyFrame(stretch, index)) {
        index++;
        continue;
      }
      const found = readBacktrace(stretch, index, consumed);
      // A backtrace right below another, under a header of its own, is the cause.
      if (found.isNamed && last && last.next === index) attach(found.draft, last.draft, "cause");
      drafts.push(found.draft);
      stretch.take(found.from, found.next - 1);
      consumed = found.next - 1;
      index = found.next;
      last = found;
    }
    return drafts;
  },
};

interface Frame {
  readonly frame: ParsedFrame;
  /** The text after the method: `: undefined method 'x' for nil (NoMethodError)`. */
  readonly rest: string;
  /** Whether the line begins with `from `, as all but the first do. */
  readonly isFrom: boolean;
  /** Whether the call is numbered, as in Ruby 2.5 to 2.7 when the innermost call is printed last. */
  readonly isNumbered: boolean;
}

const start =
  /^(?:\s*|.{0,120}?(?:WARN|ERROR|FATAL)[ :-]{1,4})(?:(?<number>\d{1,6}): )?(?<from>from )?(?:\[[\w-]{4,40}\] )?(?<path>(?:[A-Za-z]:)?[^\s:'"`(][^:'"`]{0,1000}?\.(?:rb|erb|haml|slim|rake|ru|jbuilder|gemspec)|<internal:[^>]{1,200}>|bin\/\w{1,40}):(?<line>\d{1,9})(?<after>.*)$/;
/** `import of plots: /app/plots.rb:14:in 'area': undefined method 'x' for nil (NoMethodError)`: a whole head behind words. */
const headBehindWords =
  /^.{1,200}?\s(?<path>(?:[A-Za-z]:)?[^\s:'"`(]{1,1000}\.(?:rb|erb|haml|slim|rake|ru|jbuilder|gemspec)):(?<line>\d{1,9})(?<after>:in [`'][^']{1,300}': .{1,2000} \([A-Z][\w:]{1,200}\))$/;
const method = /^:in [`']([^']{1,300})'/;
const title = "Traceback (most recent call last):";
/** Calls that Ruby leaves out of a long stack. */
const leftOut = /^\s*\.\.\. \d{1,9} levels\.\.\.$/;

function parseRubyFrame(stretch: Stretch, index: number): Frame | null {
  const text = stretch.text(index);
  if (!text.includes(":") || text.length > 4_000) return null;
  const { number, from, path, line, after = "" } = (start.exec(text) ?? headBehindWords.exec(text))?.groups ?? {};
  if (!path) return null;
  const call = method.exec(after);
  const rest = call ? after.slice(call[0].length) : after;
  // A place without a method can be in any log, so it counts only if it names the error or is one of Rails' own lines.
  if (
    !call &&
    !/^: .* \([A-Z][\w:]{1,200}\)$/.test(rest) &&
    !from &&
    !(rest === "" && /^\s*(?:app|lib|config)\//.test(text))
  )
    return null;
  const file = normalizePath(path);
  return {
    frame: {
      function: call?.[1] ?? null,
      file,
      line: Number(line) || null,
      column: null,
      origin: frameOrigin(file, "ruby"),
      async: false,
      printed: stretch.line(index)?.printed ?? null,
      context: null,
    },
    rest,
    isFrom: from !== undefined,
    isNumbered: number !== undefined,
  };
}

interface Backtrace {
  readonly draft: Draft;
  readonly from: number;
  readonly next: number;
  /** Whether its name is on its own first line. */
  readonly isNamed: boolean;
}

function readBacktrace(stretch: Stretch, index: number, consumed: number): Backtrace {
  const frames: Frame[] = [];
  let at = index;
  for (let next = parseRubyFrame(stretch, at); next; next = parseRubyFrame(stretch, at)) {
    // Another first line starts another error; in the older order it ends this one.
    const isNamed = next.rest !== "" && !next.isFrom;
    if (isNamed && frames.length > 0 && !frames.at(-1)?.isNumbered) break;
    frames.push(next);
    at++;
    if (isNamed) at += messageLinesBelow(stretch, at);
    if (leftOut.test(stretch.text(at)) && parseRubyFrame(stretch, at + 1)?.isFrom) at++;
  }
  const named = frames.findIndex(({ rest, isFrom }) => rest !== "" && !isFrom);
  const isOldestFirst = frames.some(({ isNumbered }) => isNumbered);
  const ordered = isOldestFirst ? frames.toReversed() : frames;
  const header = named >= 0 ? headerOfFrame(stretch, frames, named, index, at) : headerAbove(stretch, index, consumed);
  const from = isOldestFirst && stretch.text(index - 1).endsWith(title) ? index - 1 : Math.min(header.line, index);
  const draft = newDraft(header.type, header.message, stretch.span(from, at - 1), { language: "ruby" });
  for (const { frame } of ordered) addFrame(draft, frame);
  extend(draft, stretch.span(from, at - 1));
  return { draft, from, next: at, isNamed: named === 0 };
}

/** More lines of a message may be between a first line and the next `from`. */
function messageLinesBelow(stretch: Stretch, from: number): number {
  for (let lines = 0; lines <= messageLinesMax; lines++) {
    const frame = parseRubyFrame(stretch, from + lines);
    if (frame) return frame.isFrom ? lines : 0;
    if (stretch.text(from + lines) === "" && lines > 1) return 0;
  }
  return 0;
}

interface RubyHeader {
  readonly type: string;
  readonly message: string;
  readonly line: number;
}

/**
 * Reads `a.rb:3:in 'total': undefined method 'x' for nil (NoMethodError)`; the type may be at the end of the first
 * line.
 */
function headerOfFrame(
  stretch: Stretch,
  frames: readonly Frame[],
  named: number,
  index: number,
  end: number,
): RubyHeader {
  const rest = frames[named]?.rest.replace(/^: /, "") ?? "";
  const found = /^(.*) \(([A-Z][\w:]{1,200})\)$/.exec(rest);
  const below: string[] = [];
  // Ruby shows the code below a blank line.
  for (let at = index + named + 1; at < end && stretch.text(at) !== "" && !parseRubyFrame(stretch, at); at++)
    below.push(stretch.text(at).trim());
  const message = [found?.[1] ?? rest, ...below].join("\n").trim();
  return { type: found?.[2] ?? "RuntimeError", message, line: index + named };
}

function headerAbove(stretch: Stretch, index: number, consumed: number): RubyHeader {
  for (let line = index - 1; line > Math.max(consumed, index - headerLinesMax); line--) {
    const text = stretch.text(line).slice(0, 4_500);
    const type = typeAboveMessage(text);
    if (type !== null) return { type, message: textBetween(stretch, line, index), line };
    const found = errorAboveCalls(text, line === index - 1);
    if (found) return { type: found.type, message: found.message, line };
  }
  return { type: "Exception", message: "", line: index };
}

function textBetween(stretch: Stretch, line: number, index: number): string {
  const lines = Array.from({ length: index - line - 1 }, (_, below) => stretch.text(line + 1 + below).trim());
  return lines.join("\n").trim();
}

import type { ParsedFrame } from "../../findings/parsed-error.ts";
import type { LogLevel } from "../../signals/inputs/record.ts";
import { addFrame, attach, type Draft, extend, newDraft } from "../draft.ts";
import { frameOrigin } from "../frame-origin.ts";
import { normalizePath } from "../paths.ts";
import type { Stretch, TextFormat } from "../stretch.ts";

/** Longest message, in lines. */
const messageLinesMax = 12;

/**
 * Uncaught exceptions with their previous ones, errors and warnings of the runtime, and logs of Laravel and Monolog.
 */
export const phpFormat: TextFormat = {
  name: "PHP",
  language: "php",
  read(stretch) {
    const drafts: Draft[] = [];
    let inner: Draft | null = null;
    for (let index = 0; index < stretch.length; ) {
      const found = readError(stretch, index);
      if (!found) {
        index++;
        continue;
      }
      if (found.isNext && inner) {
        attach(inner, found.draft, "cause");
        found.draft.fatal = inner.fatal;
        inner.fatal = false;
      }
      if (found.isPrevious && drafts.length > 0) attach(found.draft, drafts.at(-1) ?? found.draft, "cause");
      drafts.push(found.draft);
      stretch.take(index, found.next - 1);
      inner = found.draft;
      index = found.next;
    }
    return drafts;
  },
};

interface Found {
  readonly draft: Draft;
  readonly next: number;
  /** Whether it follows `Next`: PHP prints the innermost exception first, and the one that wraps it after `Next`. */
  readonly isNext: boolean;
  /** Monolog prints the outermost first. */
  readonly isPrevious: boolean;
}

/** WordPress sends a mail whose error begins with `Error message: `. */
const uncaught =
  /(?:^|\s|: )(?:PHP )?(?:Fatal error|Recoverable fatal error|Parse error|Error message): {1,2}Uncaught (.*)$/;
const raised =
  /(?:^|\s)(?:PHP )?(Fatal error|Parse error|Recoverable fatal error|Catchable fatal error|Warning|Notice|Deprecated|Core error|Compile error): {1,2}(.{1,4000})$/;
const typed = /^([A-Za-z_\\][\w\\]{1,200})(?::\s([\s\S]*))?$/;
const monolog = /\[object\] \(([A-Za-z_][\w\\]{1,200})\(code: (\S{1,20})\): (.*)$/;
/** The same in another language, of a file of PHP; a browser names an address. */
const uncaughtIn = /: {1,2}Uncaught (\S.* in (?:[A-Za-z]:|phar:\/\/)?[^:]{1,1000}\.php:\d{1,9})$/;
const title = /^(?:Stack trace:|\[stacktrace\]|PHP Stack trace:)$/;
const frameLine = /^#(\d{1,6}) (.*)$/;
const thrown = /^\s*thrown in (\S.{0,1000}) on line (\d{1,9})$/;

function readError(stretch: Stretch, index: number): Found | null {
  const text = stretch.text(index);
  if (text.includes("Uncaught ")) return readUncaught(stretch, index, text);
  if (text.includes("[object] (")) return readMonolog(stretch, index, text);
  if (text.startsWith("Next ")) return readDescribed(stretch, index, text.slice("Next ".length), true);
  if (text.includes(" on line ")) return readRaised(stretch, index, text);
  return stretch.text(index + 1).startsWith("Stack trace:") || isStack(stretch, index + 1)
    ? readDescribed(stretch, index, text, false)
    : null;
}

function isStack(stretch: Stretch, index: number): boolean {
  return /^#0 (?:\S.*\(\d{1,9}\): |\[internal function\]: |\{main\}$)/.test(stretch.text(index));
}

function readUncaught(stretch: Stretch, index: number, text: string): Found | null {
  const found = uncaught.exec(text) ?? uncaughtIn.exec(text);
  const first = found?.[1];
  if (first === undefined) return null;
  const read = readDescribed(stretch, index, first, false) ?? readOnLine(stretch, index, first);
  if (read) read.draft.fatal = true;
  return read;
}

/** Errors of `require` end like warnings, without a trace. */
function readOnLine(stretch: Stretch, index: number, first: string): Found | null {
  const site = splitSite(first, " in ", " on line ");
  const found = site ? typed.exec(site.said) : null;
  if (!site || !found?.[1]) return null;
  return readTrace(stretch, {
    index,
    next: index + 1,
    type: found[1],
    isNext: false,
    site: { ...site, said: found[2] ?? "" },
  });
}

/** Reads `Type: message in /file.php:7`, whose message may have several lines, and the trace below. */
function readDescribed(stretch: Stretch, index: number, first: string, isNext: boolean): Found | null {
  let said = first;
  for (let next = index + 1; next <= index + messageLinesMax; next++) {
    const site = splitSite(said, " in ", ":");
    const found = site ? typed.exec(site.said) : null;
    if (site && found?.[1])
      return readTrace(stretch, { index, next, type: found[1], isNext, site: { ...site, said: found[2] ?? "" } });
    if (stretch.text(next) === "" || frameLine.test(stretch.text(next))) return null;
    // Each line is matched together with the lines before it, up to the longest message.
    said = `${said}\n${stretch.text(next)}`.slice(0, 8_000);
  }
  return null;
}

function readTrace(
  stretch: Stretch,
  at: { index: number; next: number; type: string; site: Site; isNext: boolean },
): Found {
  const draft = newDraft(at.type, at.site.said.trim(), stretch.span(at.index, at.next - 1), { language: "php" });
  addFrame(draft, siteFrame(at.site, draft));
  return { draft, next: readFrames(stretch, draft, at.next), isNext: at.isNext, isPrevious: false };
}

function readMonolog(stretch: Stretch, index: number, text: string): Found | null {
  const found = monolog.exec(text.slice(0, 12_000));
  const site = splitSite((found?.[3] ?? "").replace(/\)$/, ""), " at ", ":");
  if (!found?.[1] || !site) return null;
  const draft = newDraft(found[1].replaceAll("\\\\", "\\"), site.said, stretch.span(index), { language: "php" });
  if (found[2] !== "0") draft.properties.code = found[2] ?? "";
  addFrame(draft, siteFrame(site, draft));
  const next = readFrames(stretch, draft, index + 1);
  return { draft, next, isNext: false, isPrevious: text.startsWith("[previous exception]") };
}

const levels: Readonly<Record<string, LogLevel>> = { Warning: "warn", Notice: "info", Deprecated: "info" };

function readRaised(stretch: Stretch, index: number, text: string): Found | null {
  const found = raised.exec(text);
  const site = splitSite(found?.[2] ?? "", " in ", " on line ");
  if (!found?.[1] || !site) return null;
  const level = levels[found[1]] ?? "error";
  const draft = newDraft(found[1], site.said, stretch.span(index), {
    language: "php",
    level,
    fatal: level === "error",
  });
  addFrame(draft, siteFrame(site, draft));
  return { draft, next: readFrames(stretch, draft, index + 1), isNext: false, isPrevious: false };
}

/** The text, and the place at its end. */
interface Site {
  readonly said: string;
  readonly file: string;
  readonly line: number;
}

/** Splits `message in /file.php:7`, starting from the end, so that words of the message aren't taken for the place. */
function splitSite(text: string, before: string, between: string): Site | null {
  const lineAt = text.lastIndexOf(between);
  const digits = text.slice(lineAt + between.length);
  if (lineAt < 0 || !/^\d{1,9}$/.test(digits)) return null;
  const fileAt = text.lastIndexOf(before, lineAt);
  const file = text.slice(fileAt + before.length, lineAt);
  return fileAt < 0 || file === "" || file.includes("\n")
    ? null
    : { said: text.slice(0, fileAt), file, line: Number(digits) };
}

function siteFrame(site: Site, { printed }: Draft): ParsedFrame {
  const file = normalizePath(site.file);
  const origin = frameOrigin(file, "php");
  return { function: null, file, line: site.line || null, column: null, origin, async: false, printed, context: null };
}

/** A frame names the place of a call and the called function, so the function belongs to the frame above. */
function readFrames(stretch: Stretch, draft: Draft, from: number): number {
  // Pasted text may have a blank line above the title.
  let at = stretch.text(from) === "" && title.test(stretch.text(from + 1)) ? from + 1 : from;
  if (title.test(stretch.text(at))) at++;
  for (let found = frameLine.exec(stretch.text(at)); found; found = frameLine.exec(stretch.text(at))) {
    addCall(draft, found[2] ?? "", stretch, at);
    at++;
  }
  if (thrown.test(stretch.text(at))) at++;
  else if (stretch.text(at) === '"}' || stretch.text(at) === '"} ') at++;
  if (at > from) extend(draft, stretch.span(from, at - 1));
  return at;
}

function addCall(draft: Draft, text: string, stretch: Stretch, at: number): void {
  if (text === "{main}") return;
  const found =
    /^(?:(\[internal function\])|((?:[A-Za-z]:)?[^(]{1,1000}(?:\([^)]{0,200}\) : [\w ]{1,40})?)\((\d{1,9})\)): (.{1,4000})$/.exec(
      text,
    );
  if (!found) return;
  const name = (found[4] ?? "").split("(", 1)[0]?.replaceAll("\\\\", "\\") ?? null;
  const above = draft.frames.at(-1);
  if (above && above.function === null) draft.frames[draft.frames.length - 1] = { ...above, function: name };
  const file = found[2] === undefined ? null : normalizePath(found[2]);
  addFrame(draft, {
    function: null,
    file,
    line: found[3] === undefined ? null : Number(found[3]),
    column: null,
    origin: file === null ? "runtime" : frameOrigin(file, "php"),
    async: false,
    printed: stretch.line(at)?.printed ?? null,
    context: null,
  });
}

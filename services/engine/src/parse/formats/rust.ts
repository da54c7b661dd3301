import type { ParsedFrame } from "../../findings/parsed-error.ts";
import { addFrame, attach, type Draft, extend, newDraft } from "../draft.ts";
import { frameOrigin } from "../frame-origin.ts";
import { normalizePath } from "../paths.ts";
import { type Found, readEach, type Stretch, type TextFormat } from "../stretch.ts";

/** Longest message, in lines: `assert_eq!` prints both sides. */
const messageLinesMax = 20;
const causesMax = 20;

/** Panics as printed before and since Rust 1.73, with backtraces, and the chains of anyhow and eyre. */
export const rustFormat: TextFormat = {
  name: "Rust",
  language: "rust",
  read: (stretch) => readEach(stretch, (index) => readPanic(stretch, index) ?? readReport(stretch, index)),
};

const panicked = /thread '([^']{0,200})'(?: \(\d{1,12}\))? panicked at (.*)$/;
const newSite = /^([^'\s][^:]{0,1000}):(\d{1,9}):(\d{1,9}):$/;
/** The message on the same line, as in the title of an issue. */
const newSiteWithMessage = /^([^'\s][^:]{0,1000}):(\d{1,9}):(\d{1,9}): {1,20}(\S.*)$/;
const oldSite = /^'(.*)', ([^':]{1,1000}):(\d{1,9}):(\d{1,9})$/;
/** The end of an old-style panic: its message may span lines, and its place ends it. */
const oldSiteEnd = /^(.*)', ([^':]{1,1000}):(\d{1,9}):(\d{1,9})$/;
const backtrace = /^\s*stack backtrace:$/i;
const frameLine = /^\s{0,8}(\d{1,5}):\s{1,8}(?:0x[0-9a-f]{1,16} - )?(\S.{0,1000})$/;
/** A call without symbols. */
const unknown = "<unknown>";
const placeLine = /^\s{4,40}at (.{1,1000}?):(\d{1,9})(?::(\d{1,9}))?$/;

function readPanic(stretch: Stretch, index: number): Found | null {
  const text = stretch.text(index);
  const found = text.includes(" panicked at ") ? panicked.exec(text) : null;
  if (!found) return null;
  const said = found[2] ?? "";
  const read = readSameLine(said, index) ?? (newSite.test(said) ? readNew : readOld)(stretch, index, said);
  const draft = newDraft("panic", read.message, stretch.span(index, read.next - 1), {
    language: "rust",
    throwSite: read.site,
    fatal: found[1] === "main",
    properties: { thread: found[1] ?? "" },
  });
  return withBacktrace(stretch, draft, read.next);
}

interface Read {
  readonly message: string;
  readonly site: Draft["throwSite"];
  readonly next: number;
}

function readSameLine(said: string, index: number): Read | null {
  const [, file, line, column, message] = newSiteWithMessage.exec(said) ?? [];
  return message === undefined ? null : { message, site: siteOf(file, line, column), next: index + 1 };
}

function readNew(stretch: Stretch, index: number, said: string): Read {
  const site = newSite.exec(said);
  const lines: string[] = [];
  let next = index + 1;
  for (; next < index + messageLinesMax; next++) {
    const text = stretch.text(next);
    if (text === "" || text.startsWith("note: ") || backtrace.test(text) || text.includes(" panicked at ")) break;
    if (lines.length > 0 && !/^\s/.test(text)) break;
    lines.push(text.trim());
  }
  return { message: lines.join("\n"), site: siteOf(site?.[1], site?.[2], site?.[3]), next };
}

function readOld(stretch: Stretch, index: number, said: string): Read {
  const whole = oldSite.exec(said);
  if (whole) return { message: whole[1] ?? "", site: siteOf(whole[2], whole[3], whole[4]), next: index + 1 };
  const lines = [said.startsWith("'") ? said.slice(1) : said];
  for (let next = index + 1; next < index + messageLinesMax; next++) {
    const text = stretch.text(next);
    const end = oldSiteEnd.exec(text);
    if (end) {
      const message = [...lines, end[1] ?? ""].join("\n").trim();
      return { message, site: siteOf(end[2], end[3], end[4]), next: next + 1 };
    }
    if (text === "") break;
    lines.push(text.trim());
  }
  return { message: said, site: null, next: index + 1 };
}

function siteOf(file: string | undefined, line: string | undefined, column: string | undefined): Draft["throwSite"] {
  return file === undefined ? null : { file: normalizePath(file), line: Number(line), column: Number(column) };
}

function withBacktrace(stretch: Stretch, draft: Draft, from: number): Found {
  let at = from;
  while (at < from + 3 && !backtrace.test(stretch.text(at))) at++;
  if (!backtrace.test(stretch.text(at))) {
    for (const frame of withSite([], draft)) addFrame(draft, frame);
    return { drafts: [draft], next: from };
  }
  const { frames, next } = readFrames(stretch, at + 1);
  for (const frame of withSite(frames, draft)) addFrame(draft, frame);
  extend(draft, stretch.span(at, Math.max(next - 1, at)));
  return { drafts: [draft], next };
}

/**
 * Returns the calls with the place that panicked. A program without debug information prints no places of calls: the
 * first that isn't the runtime's panicked.
 */
function withSite(frames: readonly ParsedFrame[], { throwSite: site, printed }: Draft): readonly ParsedFrame[] {
  if (!site || frames.some(({ file }) => file !== null)) return frames;
  const panicking = frames.findIndex(({ origin }) => origin !== "runtime");
  const name = frames[panicking]?.function ?? null;
  const call = { function: name, async: false, printed, context: null };
  const at = { ...call, ...site, origin: frameOrigin(site.file, "rust", name) };
  return panicking < 0 ? [at, ...frames] : frames.with(panicking, at);
}

function readFrames(stretch: Stretch, from: number): { frames: ParsedFrame[]; next: number } {
  const frames: ParsedFrame[] = [];
  let at = from;
  while (at < stretch.length) {
    const call = frameLine.exec(stretch.text(at));
    if (!call?.[2]) break;
    const place = placeLine.exec(stretch.text(at + 1));
    const file = place?.[1] === undefined ? null : normalizePath(place[1]);
    const name = call[2].replace(/::h[0-9a-f]{16}$/, "");
    if (name === unknown && file === null) {
      at++;
      continue;
    }
    frames.push({
      function: name,
      file,
      line: place ? Number(place[2]) : null,
      column: place?.[3] === undefined ? null : Number(place[3]),
      origin: frameOrigin(file, "rust", name),
      async: name.includes("{async"),
      printed: stretch.span(at, place ? at + 1 : at),
      context: null,
    });
    at += place ? 2 : 1;
  }
  return { frames, next: at };
}

/**
 * Reads `Error: outer`, then `Caused by:` and its lines, numbered when there are several, as anyhow and eyre print
 * them.
 */
function readReport(stretch: Stretch, index: number): Found | null {
  if (stretch.text(index) !== "Caused by:") return null;
  const at = stretch.text(index - 1) === "" ? index - 2 : index - 1;
  const header = /^(?:Error: )?(\S.{0,4000})$/.exec(stretch.text(at));
  if (!header?.[1]) return null;
  const head = newDraft("Error", header[1], stretch.span(at, index), { language: "rust" });
  const drafts: Draft[] = [head];
  let next = index + 1;
  for (; next <= index + causesMax; next++) {
    const cause = /^\s{2,8}(?:\d{1,3}: )?(\S.{0,4000})$/.exec(stretch.text(next));
    const parent = drafts.at(-1);
    if (!cause?.[1] || !parent) break;
    const draft = newDraft("Error", cause[1], stretch.span(next), { language: "rust" });
    attach(draft, parent, "cause");
    drafts.push(draft);
  }
  if (drafts.length === 1) return null;
  stretch.take(at, index);
  const below = stretch.text(next) === "" ? next + 1 : next;
  if (!backtrace.test(stretch.text(below))) return { drafts, next };
  const { frames, next: end } = readFrames(stretch, below + 1);
  for (const frame of frames) addFrame(head, frame);
  return { drafts, next: end };
}

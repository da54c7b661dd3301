import type { ParsedFrame } from "../../findings/parsed-error.ts";
import type { Span } from "../../source/source-text.ts";
import { addFrame, newDraft } from "../draft.ts";
import { frameOrigin } from "../frame-origin.ts";
import { normalizePath } from "../paths.ts";
import type { Stretch, TextFormat } from "../stretch.ts";
import { isMemberTitle, readTracebacks, type Traceback } from "./python-chain.ts";
import { around, followsMessage } from "./python-message.ts";

/** Narrow panels break the path of a call over several lines. */
const placeLinesMax = 6;
const messageLinesMax = 20;

/** Tracebacks of rich, which Typer, structlog, and Textual print, too. Their panels were removed before. */
export const richFormat: TextFormat = {
  name: "Rich",
  language: "python",
  read(stretch) {
    // An exception group is followed by its members, and their panels don't tell how deep they were nested.
    let depth = 0;
    return readTracebacks(stretch, (index) => {
      const text = stretch.text(index);
      if (isMemberTitle(text)) depth = 1;
      return text === title ? readTraceback(stretch, index, depth) : null;
    });
  },
};

/** Without Python's colon. */
const title = "Traceback (most recent call last)";
const place = /^(?<file>\S.{0,1000}?):(?<line>\d{1,9})(?: in (?<function>\S.{0,300}))?$/;
const evaluated = /^in (?<function>\S.{0,300}):(?<line>\d{1,9})$/;
/** A line of the code around a call; an arrow is at that of the call, and bars are at each indentation. */
const numbered = /^(?<arrow>[❱>]|\\u2771)? {0,8}\d{1,9}(?: [ │]*(?<code>.*))?$/;
/** What stands below the code that couldn't be parsed. */
const syntaxArrow = /^\s*(?:▲|\\u25b2)$/;
const leftOut = /^\s*\.\.\. \d{1,9} frames hidden \.\.\.$/;
const raised = /^([A-Za-z_][\w.]{0,200})(?:: .*)?$/;
/** {@link raised}, unless it may as well be the rest of a message. */
const surelyRaised = /^[A-Za-z_][\w.]{0,200}(?:: |(?:Error|Exception)$)/;

/** Lines up to a blank one or another title: the place of a call, the code around it, or its variables. */
interface Paragraph {
  readonly from: number;
  /** Exclusive. */
  readonly to: number;
}

function readTraceback(stretch: Stretch, start: number, depth: number): Traceback | null {
  const frames: ParsedFrame[] = [];
  let at = start + 1;
  for (; at < stretch.length; at = next(stretch, at).to) {
    const paragraph = next(stretch, at);
    const frame = frameOf(stretch, paragraph);
    if (frame) frames.push(frame);
    else if (!isDetail(stretch, paragraph)) break;
  }
  if (frames.length === 0) return null;
  at = next(stretch, at).from;
  const header = raised.exec(stretch.text(at));
  const read = header ? messageAt(stretch, at, unitsOf(stretch, start)) : { message: "", end: at };
  const message = read.message.slice((header?.[1] ?? "").length + 1).trim();
  const draft = newDraft(header?.[1] ?? "Exception", message, stretch.span(start, read.end - 1), {
    language: "python",
  });
  for (const frame of frames.toReversed()) addFrame(draft, frame);
  const site = frames.at(-1);
  if (draft.type === "SyntaxError" && site?.file && site.line)
    draft.throwSite = { file: site.file, line: site.line, column: null };
  return { draft, depth, next: read.end };
}

function next(stretch: Stretch, at: number): Paragraph {
  let from = at;
  while (from < stretch.length && stretch.text(from) === "") from++;
  let to = from;
  while (to < stretch.length && stretch.text(to) !== "" && stretch.text(to) !== title) to++;
  return { from, to };
}

function linesOf(stretch: Stretch, { from, to }: Paragraph): string[] {
  return Array.from({ length: Math.max(0, to - from) }, (_, offset) => stretch.text(from + offset));
}

/** Returns whether a paragraph says more of the call above it. */
function isDetail(stretch: Stretch, paragraph: Paragraph): boolean {
  const [first = "", ...others] = linesOf(stretch, paragraph);
  return (
    first === "locals" ||
    leftOut.test(first) ||
    (numbered.test(first) && others.every((line) => numbered.test(line) || isContinued(line)))
  );
}

/** Narrow panels break lines of code, and indent what follows. */
function isContinued(line: string): boolean {
  return /^ {3}\s*\S/.test(line);
}

function frameOf(stretch: Stretch, { from, to }: Paragraph): ParsedFrame | null {
  const lines = linesOf(stretch, { from, to: Math.min(to, from + placeLinesMax) });
  if (syntaxArrow.test(lines.at(-1) ?? "")) return brokenFile(stretch, from);
  const found = [lines.join(""), lines.join(" ")].map((text) => place.exec(text) ?? evaluated.exec(text)).find(Boolean);
  if (!found?.groups || to - from > placeLinesMax) return null;
  return frameWith(found.groups, stretch.span(from, to - 1), codeIn(stretch, next(stretch, to)));
}

/** The file that a SyntaxError is about has a panel of its own. */
function brokenFile(stretch: Stretch, at: number): ParsedFrame | null {
  const groups = place.exec(stretch.text(at).trim())?.groups;
  const code = stretch.text(at + 1).trim();
  return groups ? frameWith(groups, stretch.span(at), { code }) : null;
}

function frameWith(
  { file: path, line, function: name }: Readonly<Record<string, string | undefined>>,
  printed: Span,
  code: Pick<ParsedFrame, "code">,
): ParsedFrame {
  const file = path === undefined ? null : normalizePath(path);
  return {
    function: name === undefined || name === "<module>" ? null : name,
    file,
    line: Number(line) || null,
    column: null,
    origin: frameOrigin(file, "python"),
    async: false,
    printed,
    context: null,
    ...code,
  };
}

/** Returns the code that the arrow points at, unless it may be cut off. */
function codeIn(stretch: Stretch, { from, to }: Paragraph): Pick<ParsedFrame, "code"> {
  let at = from;
  const groupsAt = (line: number) => numbered.exec(stretch.text(line))?.groups;
  while (at < to && !groupsAt(at)?.arrow) at++;
  const parts = [groupsAt(at)?.code ?? ""];
  const first = at;
  while (at + 1 < to && !groupsAt(at + 1)) parts.push(stretch.text(++at).trim());
  const code = parts.join(" ").trim();
  const isCut = at === first && stretch.line(at)?.fillsPanel;
  return code === "" || isCut ? {} : { code };
}

/** Returns a message with its name. Rich breaks it at the width of the terminal, which is that of the panel. */
function messageAt(stretch: Stretch, at: number, width: number): { readonly message: string; readonly end: number } {
  let message = stretch.text(at);
  let end = at + 1;
  for (; end < at + messageLinesMax; end++) {
    const line = stretch.text(end);
    const [word = ""] = line.split(" ", 1);
    const above = stretch.text(end - 1).length;
    // Another error has a line of its own, and one that is wider than the panel wasn't broken.
    const isBroken = word !== "" && !surelyRaised.test(line) && above <= width && above + 1 + word.length > width;
    if (!isBroken && !followsMessage(stretch.text(at), line, around(stretch, end))) break;
    message += `${isBroken ? " " : "\n"}${line.trim()}`;
  }
  return { message, end };
}

function unitsOf(stretch: Stretch, at: number): number {
  const { start, end } = stretch.span(at);
  return end - start;
}

import type { ParsedFrame } from "../../findings/parsed-error.ts";
import { addFrame, newDraft } from "../draft.ts";
import { frameOrigin } from "../frame-origin.ts";
import { indentOf } from "../indent.ts";
import { normalizePath } from "../paths.ts";
import type { Stretch, TextFormat } from "../stretch.ts";
import { readTracebacks, type Traceback } from "./python-chain.ts";
import { around, followsMessage } from "./python-message.ts";

/** Maximum lines between two frames: the code around the call, and the variables that `%xmode Verbose` adds. */
const linesBetweenFramesMax = 60;
/** Maximum lines between the title and the first frame. */
const linesBelowTitleMax = 3;
const messageLinesMax = 20;

/** Tracebacks of IPython and of notebooks, versions 5 to 9, in which an arrow marks the line of each frame. */
export const ipythonFormat: TextFormat = {
  name: "IPython",
  language: "python",
  read: (stretch) => readTracebacks(stretch, (index) => readTraceback(stretch, index)),
};

/** `KeyError                                  Traceback (most recent call last)`, without Python's colon. */
const title = /^([A-Za-z_][\w.]{0,200}?)\s*Traceback \(most recent call last\)$/;
const raised = /^([A-Za-z_][\w.]{0,200})(?:: (.*))?$/;

/** The first line of a frame in its various forms. Groups: `cell`, `file`, `line`, `function`. */
const frameForms = [
  /^(?<cell>(?:Cell )?In ?\[\d{1,6}\]), line (?<line>\d{1,9})(?:, in (?<function>.{1,600}))?$/,
  /^(?<cell>Input In \[\d{1,6}\]), in (?<function>.{1,600})$/,
  /^File (?<file>.{1,600}?):(?<line>\d{1,9})(?:, in (?<function>.{1,600}))?$/,
  /^File (?<file>.{1,600}?), in (?<function>.{1,600})$/,
  /^(?<cell><(?:ipython-input-[\w-]{1,60}|timed \w{1,20}|decorator-gen-\d{1,9})>) in (?<function>.{1,600})$/,
  /^(?<file>\S.{0,600}?\.(?:py|pyx|pxd|pxi|ipynb)) in (?<function>.{1,600})$/,
];
const arrow = /^-{1,12}> {1,4}(\d{1,9})(?:\s(.*))?$/;

function readTraceback(stretch: Stretch, index: number): Traceback | null {
  const text = stretch.text(index);
  if (!text.includes("Traceback (most recent call last)")) return null;
  const type = title.exec(text)?.[1];
  if (type === undefined) return null;
  const frames: ParsedFrame[] = [];
  let at = index + 1;
  for (let between = 0; at < stretch.length && between <= linesBetweenFramesMax; between++) {
    if (frames.length === 0 && between > linesBelowTitleMax) return null;
    if (isRaised(stretch.text(at), type)) break;
    const frame = frameAt(stretch, at);
    if (!frame) {
      at++;
      continue;
    }
    frames.push(frame.read);
    at = frame.next;
    between = 0;
  }
  if (frames.length === 0) return null;
  return finish(stretch, { type, index, at, frames });
}

/** Returns whether a line names the error of the title, possibly without its module. */
function isRaised(text: string, type: string): boolean {
  const name = raised.exec(text)?.[1];
  return name !== undefined && (name === type || name.endsWith(`.${type}`) || type.endsWith(`.${name}`));
}

interface Read {
  readonly type: string;
  readonly index: number;
  readonly at: number;
  /** Outermost first, as printed. */
  readonly frames: readonly ParsedFrame[];
}

/** Uses the title's name and no message when the traceback is cut off before its last line. */
function finish(stretch: Stretch, { type, index, at, frames }: Read): Traceback {
  const header = isRaised(stretch.text(at), type) ? raised.exec(stretch.text(at)) : null;
  let next = header ? at + 1 : Math.min(at, stretch.length);
  const message = [header?.[2] ?? ""];
  while (
    header &&
    next < at + messageLinesMax &&
    followsMessage(stretch.text(at), stretch.text(next), around(stretch, next))
  )
    message.push(stretch.text(next++).trim());
  const draft = newDraft(header?.[1] ?? type, message.join("\n").trim(), stretch.span(index, next - 1), {
    language: "python",
  });
  for (const frame of frames.toReversed()) addFrame(draft, frame);
  return { draft, depth: 0, next };
}

/** Reads a frame's first line and the code below it up to the arrow. */
function frameAt(stretch: Stretch, at: number): { readonly read: ParsedFrame; readonly next: number } | null {
  const groups = formOf(stretch.text(at));
  if (!groups) return null;
  const marked = arrowBelow(stretch, at + 1);
  const file = groups.file === undefined ? null : normalizePath(groups.file);
  const line = groups.line ?? marked?.line;
  return {
    read: {
      function: nameOf(groups.function),
      file,
      line: Number(line ?? 0) || null,
      column: null,
      origin: file === null ? "app" : frameOrigin(file, "python"),
      async: false,
      printed: stretch.span(at, groups.line === undefined && marked ? marked.at : at),
      context: null,
      ...(marked?.code ? { code: marked.code } : {}),
    },
    next: at + 1,
  };
}

function formOf(text: string): Readonly<Record<string, string | undefined>> | null {
  if (indentOf(text) > 0) return null;
  for (const form of frameForms) {
    const found = form.exec(text);
    if (found?.groups) return found.groups;
  }
  return null;
}

interface MarkedLine {
  readonly line: string;
  readonly at: number;
  readonly code: string;
}

function arrowBelow(stretch: Stretch, from: number): MarkedLine | null {
  for (let at = from; at < Math.min(from + linesBetweenFramesMax, stretch.length); at++) {
    const [, line, code = ""] = arrow.exec(stretch.text(at)) ?? [];
    if (line !== undefined) return { line, at, code: code.trim() };
    if (formOf(stretch.text(at))) return null;
  }
  return null;
}

/** Returns `total` for `total(order={'country': 'DE'})`; null at module or cell level. */
function nameOf(call: string | undefined): string | null {
  const name = call?.split("(", 1)[0]?.trim() ?? "";
  return name === "" || name === "<module>" || name.startsWith("<cell line") ? null : name;
}

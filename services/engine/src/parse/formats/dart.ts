import type { ParsedFrame } from "../../findings/parsed-error.ts";
import { addFrame, type Draft, extend, newDraft } from "../draft.ts";
import { frameOrigin } from "../frame-origin.ts";
import { parseHeader } from "../header.ts";
import { normalizePath } from "../paths.ts";
import type { Stretch, TextFormat } from "../stretch.ts";

const frameLine = /^#\d{1,6} {2,10}(\S.{0,500}?) \(([^()\s][^()]{0,1000})\)$/;
const place = /^(.{1,900}?\.dart)(?::(\d{1,9}))?(?::(\d{1,9}))?$/;
const headerLinesMax = 8;

/** Stack traces of Dart and Flutter. */
export const dartFormat: TextFormat = {
  name: "Dart, Flutter",
  language: "dart",
  read(stretch) {
    const drafts: Draft[] = [];
    for (let index = 0; index < stretch.length; index++) {
      if (!stretch.text(index).startsWith("#0 ") || !parseFrame(stretch, index)) continue;
      const { draft, next } = readTrace(stretch, index);
      drafts.push(draft);
      index = next - 1;
    }
    return drafts;
  },
};

function readTrace(stretch: Stretch, index: number): { draft: Draft; next: number } {
  const { line, isFatal } = headerAbove(stretch, index);
  const said = line < index ? stretch.text(line).trim() : "";
  const header = parseHeader(said);
  const draft = newDraft(header?.type ?? "Error", header?.message ?? said, stretch.span(line), {
    language: "dart",
    fatal: isFatal,
  });
  let at = index;
  for (let frame = parseFrame(stretch, at); frame; frame = parseFrame(stretch, at)) {
    addFrame(draft, frame);
    at++;
    if (stretch.text(at) === "<asynchronous suspension>") at++;
  }
  extend(draft, stretch.span(line, at - 1));
  stretch.take(line, at - 1);
  return { draft, next: at };
}

/** Returns the line below `Unhandled exception:`, the line that names an error, or else the one right above. */
function headerAbove(stretch: Stretch, index: number): { line: number; isFatal: boolean } {
  for (let line = index - 1; line >= index - headerLinesMax; line--) {
    const text = stretch.text(line);
    if (/Unhandled [Ee]xception:$/.test(text)) return { line: line + 1, isFatal: true };
    if (parseHeader(text)) return { line, isFatal: /Unhandled [Ee]xception:/.test(text) };
  }
  return { line: stretch.text(index - 1) === "" ? index : index - 1, isFatal: false };
}

function parseFrame(stretch: Stretch, index: number): ParsedFrame | null {
  const found = frameLine.exec(stretch.text(index));
  const at = found?.[2] === undefined ? null : place.exec(found[2]);
  if (!found?.[1] || !at?.[1]) return null;
  const file = normalizePath(at[1]);
  return {
    function: found[1],
    file,
    line: at[2] === undefined ? null : Number(at[2]),
    column: at[3] === undefined ? null : Number(at[3]),
    origin: frameOrigin(file, "dart"),
    async: false,
    printed: stretch.line(index)?.printed ?? null,
    context: null,
  };
}

import type { ParsedFrame } from "../../findings/parsed-error.ts";
import { addFrame, type Draft, extend, newDraft } from "../draft.ts";
import { frameOrigin } from "../frame-origin.ts";
import { parseHeader } from "../header.ts";
import { normalizePath } from "../paths.ts";
import type { Stretch, TextFormat } from "../stretch.ts";

/** `total@https://shop.example/a.js:3:14`, `async*run@…`, `@…`. */
const frameLine =
  /^\s*(?:(async)\*)?([\w$.<>/*[\] ]{0,300})@((?:https?|file|webpack|webpack-internal|blob|moz-extension|safari-extension|app|resource):\S{1,2000}?|\[native code\]):?(\d{1,9})?(?::(\d{1,9}))?$/;
/** Two consecutive lines, or one below a name: an address in ordinary text can look like one frame. */
const framesMin = 2;

/** Stacks of Firefox and Safari. */
export const firefoxFormat: TextFormat = {
  name: "Firefox, Safari",
  language: "javascript",
  read(stretch) {
    const drafts: Draft[] = [];
    for (let index = 0; index < stretch.length; ) {
      const next = stretch.text(index).includes("@") ? endOfFrames(stretch, index) : index;
      const isStack = next - index >= framesMin || (next > index && parseHeader(stretch.text(index - 1)) !== null);
      if (isStack) drafts.push(readStack(stretch, index, next));
      index = Math.max(next, index + 1);
    }
    return drafts;
  },
};

function endOfFrames(stretch: Stretch, from: number): number {
  let at = from;
  while (at < stretch.length && parseFrame(stretch, at)) at++;
  return at;
}

function readStack(stretch: Stretch, from: number, next: number): Draft {
  const header = parseHeader(stretch.text(from - 1));
  const start = header ? from - 1 : from;
  const draft = newDraft(header?.type ?? "Error", header?.message ?? "", stretch.span(start), {
    language: "javascript",
  });
  for (let at = from; at < next; at++) {
    const frame = parseFrame(stretch, at);
    if (frame) addFrame(draft, frame);
  }
  extend(draft, stretch.span(start, next - 1));
  stretch.take(start, next - 1);
  return draft;
}

function parseFrame(stretch: Stretch, index: number): ParsedFrame | null {
  const text = stretch.text(index);
  const found = text.includes("@") ? frameLine.exec(text) : null;
  if (!found?.[3]) return null;
  const file = found[3] === "[native code]" ? null : normalizePath(found[3]);
  return {
    function: found[2] === "" ? null : (found[2] ?? null),
    file,
    line: found[4] === undefined ? null : Number(found[4]),
    column: found[5] === undefined ? null : Number(found[5]),
    origin: frameOrigin(file),
    async: found[1] !== undefined,
    printed: stretch.line(index)?.printed ?? null,
    context: null,
  };
}

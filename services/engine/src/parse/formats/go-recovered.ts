import type { ParsedFrame } from "../../findings/parsed-error.ts";
import { addFrame, type Draft, newDraft } from "../draft.ts";
import { frameOrigin } from "../frame-origin.ts";
import { normalizePath } from "../paths.ts";
import type { Stretch } from "../stretch.ts";

/** Maximum lines between the title and the first call: the request with its headers, and the message. */
const linesBelowTitleMax = 80;

const title = /panic recovered:$/;
const place = /^(?<file>\S.{0,1000}\.(?:go|s)):(?<line>\d{1,9}) \(0x[\da-f]{1,16}\)$/;
const called = /^\t(?<function>\S{1,400}?): (?<code>.*)$/;

/** Reads a panic that gin recovered, whose calls are printed with their code. */
export function readRecovered(
  stretch: Stretch,
  index: number,
): { readonly drafts: readonly Draft[]; readonly next: number } | null {
  if (!title.test(stretch.text(index))) return null;
  let start = index + 1;
  while (start <= index + linesBelowTitleMax && !place.test(stretch.text(start))) start++;
  const frames: ParsedFrame[] = [];
  let next = start;
  for (let frame = frameAt(stretch, next); frame; frame = frameAt(stretch, next)) {
    frames.push(frame);
    next += 2;
  }
  if (frames.length === 0) return null;
  const draft = newDraft("panic", stretch.text(start - 1), stretch.span(start - 1, next - 1), { language: "go" });
  for (const frame of frames) addFrame(draft, frame);
  stretch.take(index, start - 1);
  return { drafts: [draft], next };
}

function frameAt(stretch: Stretch, at: number): ParsedFrame | null {
  const { file: path, line } = place.exec(stretch.text(at))?.groups ?? {};
  const { function: name = null, code = "" } = called.exec(stretch.text(at + 1))?.groups ?? {};
  if (path === undefined || name === null) return null;
  const file = normalizePath(path);
  return {
    function: name,
    file,
    line: Number(line) || null,
    column: null,
    origin: frameOrigin(file, "go", name),
    async: false,
    printed: stretch.span(at, at + 1),
    context: null,
    ...(code === "" || code === "???" ? {} : { code }),
  };
}

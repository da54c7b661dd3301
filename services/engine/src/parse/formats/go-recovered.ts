import type { ParsedFrame } from "../../findings/parsed-error.ts";
import { addFrame, type Draft, newDraft } from "../draft.ts";
import { frameOrigin } from "../frame-origin.ts";
import { normalizePath } from "../paths.ts";
import type { Stretch } from "../stretch.ts";

/** Maximum lines between the title and the first call: the request with its headers, and the message. */
const linesBelowTitleMax = 80;

const title = /panic recovered:$/;
/** `GET /orders/17 HTTP/1.1`. */
const requestLine = /^[A-Z]{3,8} \S{1,2000} HTTP\/\d/;
const place = /^(?<file>\S.{0,1000}\.(?:go|s)):(?<line>\d{1,9}) \(0x[\da-f]{1,16}\)$/;
const called = /^\t(?<function>\S{1,400}?): (?<code>.*)$/;

/** Reads a panic that gin recovered, whose calls are printed with their code. */
export function readRecovered(
  stretch: Stretch,
  index: number,
): { readonly drafts: readonly Draft[]; readonly next: number } | null {
  if (!title.test(stretch.text(index))) return null;
  let start = index + 1;
  while (start <= index + linesBelowTitleMax && !place.test(stretch.text(start))) {
    if (title.test(stretch.text(start))) return null;
    start++;
  }
  const frames: ParsedFrame[] = [];
  let next = start;
  for (let frame = frameAt(stretch, next); frame; frame = frameAt(stretch, next)) {
    frames.push(frame);
    next += 2;
  }
  if (frames.length === 0) return null;
  const message = messageOf(stretch, index + 1, start);
  const draft = newDraft("panic", message, stretch.span(index, next - 1), { language: "go" });
  for (const frame of frames) addFrame(draft, frame);
  stretch.take(index, start - 1);
  return { drafts: [draft], next };
}

/** Returns the lines above the calls, without the request that gin prints first in debug mode. */
function messageOf(stretch: Stretch, from: number, to: number): string {
  const lines = Array.from({ length: to - from }, (_, offset) => stretch.text(from + offset));
  const blank = requestLine.test(lines[0] ?? "") ? lines.indexOf("") : -1;
  return lines
    .slice(blank + 1)
    .join("\n")
    .trim();
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

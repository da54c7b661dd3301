import type { ReadableLine } from "../readable-line.ts";
import { type JsonString, readJson } from "./json-reader.ts";
import { LineText } from "./line-text.ts";

/** How many times a text may be searched for lists. */
const scansMax = 2;
/** What begins a list of strings, which may be the value of a name. */
const listStart = /^\s{0,80}(?:"[\w.]{1,60}"\s{0,4}:\s{0,4})?\[\s{0,80}(?:"|$)/;
/** What a call on a line looks like, in any language. */
const callLike = /^\s*(?:at \S|File "|from \S)|\.(?:rb|go|py|php|rs|java|[cm]?[jt]sx?):\d/;
/** Fewer calls aren't a stack. */
const callsMin = 2;

/**
 * Replaces lists of strings that are the lines of a stack by these lines. A list in a JSON document is read as part of
 * it; this is about one that was copied without the rest.
 */
export function withListedLines(lines: readonly ReadableLine[]): readonly ReadableLine[] {
  if (!lines.some(({ text }) => listStart.test(text))) return lines;
  const text = new LineText(lines);
  const read: ReadableLine[] = [];
  let budget = text.text.length * scansMax;
  for (let index = 0; index < lines.length; index++) {
    const line = lines[index];
    if (!line) continue;
    const list =
      budget > 0 && listStart.test(line.text) ? listAt(text, text.startOf(index) + line.text.indexOf("[")) : null;
    budget -= list?.cost ?? 0;
    if (list === null || list.strings.filter(({ value }) => callLike.test(value)).length < callsMin) {
      read.push(line);
      continue;
    }
    read.push(...list.strings.flatMap((one) => text.linesOf(one)));
    index = Math.max(index, text.lineAt(list.end - 1));
  }
  return read;
}

interface List {
  /** Empty unless all items are strings. */
  readonly strings: readonly JsonString[];
  readonly end: number;
  /** The number of characters examined. */
  readonly cost: number;
}

function listAt({ text }: LineText, start: number): List | null {
  const document = readJson(text, start);
  if (document?.root.kind !== "array") return null;
  const { items } = document.root;
  const strings = items.filter((item) => item.kind === "string");
  return { strings: strings.length === items.length ? strings : [], end: document.end, cost: document.end - start };
}

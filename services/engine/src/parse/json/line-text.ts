import type { Span } from "../../source/source-text.ts";
import { readableLine, spanWithin } from "../lines.ts";
import type { ReadableLine } from "../readable-line.ts";
import { decodeString, type JsonString } from "./json-reader.ts";

/**
 * A line ending inside a string. An escaped backslash matches too, so that what follows isn't mistaken for a line
 * ending.
 */
const lineEnd = /\\\\|\\r\\n|\\n/g;

/** Lines joined into one text, which maps any part back to where it is printed. */
export class LineText {
  readonly text: string;
  readonly #lines: readonly ReadableLine[];
  readonly #starts: readonly number[];

  constructor(lines: readonly ReadableLine[]) {
    this.#lines = lines;
    this.text = lines.map(({ text }) => text).join("\n");
    let start = 0;
    this.#starts = lines.map(({ text }) => {
      const here = start;
      start += text.length + 1;
      return here;
    });
  }

  startOf(line: number): number {
    return this.#starts[line] ?? this.text.length;
  }

  lineAt(position: number): number {
    let low = 0;
    let high = this.#starts.length - 1;
    while (low < high) {
      const middle = (low + high + 1) >> 1;
      if ((this.#starts[middle] ?? 0) <= position) low = middle;
      else high = middle - 1;
    }
    return low;
  }

  /** Returns where a part of the text is printed. */
  spanOf({ start, end }: Span): Span {
    return { start: this.#place(start).start, end: Math.max(this.#place(start).start, this.#place(end).end) };
  }

  /** Returns the lines of a string's value, each with its own position. */
  linesOf(node: JsonString): ReadableLine[] {
    const raw = this.text.slice(node.start, node.end);
    const lines: ReadableLine[] = [];
    let start = 0;
    for (const { 0: end, index } of raw.matchAll(lineEnd)) {
      if (!end.endsWith("n")) continue;
      lines.push(this.#piece(raw, node.start, start, index));
      start = index + end.length;
    }
    return [...lines, this.#piece(raw, node.start, start, raw.length)];
  }

  #piece(raw: string, base: number, from: number, to: number): ReadableLine {
    const written = raw.slice(from, to);
    const decoded = decodeString(written);
    const start = this.#verbatimAt(base + from);
    const line = readableLine(decoded, this.spanOf({ start: base + from, end: base + to }));
    return decoded === written && start !== null ? line : { ...line, verbatimAt: null };
  }

  #verbatimAt(position: number): number | null {
    return this.#lines[this.lineAt(position)]?.verbatimAt ?? null;
  }

  #place(position: number): Span {
    const index = this.lineAt(position);
    const line = this.#lines[index];
    if (!line) return { start: 0, end: 0 };
    const within = Math.min(position - this.startOf(index), line.text.length);
    return line.verbatimAt === null ? line.printed : spanWithin(line, within, within);
  }
}

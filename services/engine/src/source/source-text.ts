import { createHash } from "node:crypto";
import { type Evidence, utf8Length } from "@whence/protocol";
import { Utf8Offsets } from "./utf8-offsets.ts";

/** A stretch of a {@link SourceText}, in UTF-16 units, `end` excluded. */
export interface Span {
  readonly start: number;
  readonly end: number;
}

/** The origin of an excerpt, as evidence states it. */
export type Quote = Pick<Evidence, "excerpt" | "range" | "sha256">;

/** Where a file was read from: see {@link SourceText}. */
interface Origin {
  readonly version?: string | undefined;
  readonly path?: string | undefined;
}

/** Longest excerpt: enough for a stack or a function, short enough to read. */
const excerptUnitsMax = 4_000;

/**
 * A text that the investigation reads and quotes: the pasted log, an attached file, the source lines in an event. Lines
 * are numbered from `firstLine`, which isn't 1 for an excerpt of a file. Every quote is exactly the bytes of its range.
 */
export class SourceText {
  readonly kind: Evidence["source"]["kind"];
  readonly name: string;
  readonly text: string;
  readonly firstLine: number;
  /** The version of a file, in words; undefined when only one was given. */
  readonly version: string | undefined;
  /** The path of a file in the tree that it was read from; undefined where no one said. */
  readonly path: string | undefined;
  #starts: readonly number[] | undefined;
  #offsets: Utf8Offsets | undefined;
  #sha256: string | undefined;

  constructor(kind: Evidence["source"]["kind"], name: string, text: string, firstLine = 1, origin: Origin = {}) {
    this.kind = kind;
    this.name = name;
    // A lone surrogate has no UTF-8 form, so the excerpt would differ from the bytes of its range.
    this.text = text.toWellFormed();
    this.firstLine = firstLine;
    this.version = origin.version;
    this.path = origin.path;
  }

  /** Number of the last line. */
  get lastLine(): number {
    return this.firstLine + this.#lineStarts().length - 1;
  }

  has(line: number): boolean {
    return line >= this.firstLine && line <= this.lastLine;
  }

  /** Returns the text of a line without its line ending; empty beyond the text. */
  line(line: number): string {
    const { start, end } = this.lines(line, line);
    return this.text.slice(start, end);
  }

  /** Returns where the code of a line starts, after its indentation. */
  codeStart(line: number): number {
    return this.lines(line, line).start + (/^\s*/.exec(this.line(line))?.[0].length ?? 0);
  }

  /**
   * Returns the span of some lines, both ends included, without the last line ending. Lines beyond the text are left
   * out.
   */
  lines(from: number, to: number): Span {
    const starts = this.#lineStarts();
    const first = Math.max(from - this.firstLine, 0);
    const start = starts[first];
    if (start === undefined || to < from) return { start: this.text.length, end: this.text.length };
    const next = starts[to - this.firstLine + 1];
    const end = next === undefined ? this.text.length : next - 1;
    return { start, end: this.text[end - 1] === "\r" && end > start ? end - 1 : end };
  }

  /** Returns the number of the line that holds a position. */
  lineAt(position: number): number {
    const starts = this.#lineStarts();
    let low = 0;
    let high = starts.length - 1;
    while (low < high) {
      const middle = (low + high + 1) >> 1;
      if ((starts[middle] ?? 0) <= position) low = middle;
      else high = middle - 1;
    }
    return this.firstLine + low;
  }

  /** Returns an excerpt with its byte range and the digest of this text, cut at {@link excerptUnitsMax}. */
  quote({ start, end }: Span): Quote {
    const cut = this.#boundary(Math.min(end, start + excerptUnitsMax));
    const excerpt = this.text.slice(start, cut);
    this.#offsets ??= new Utf8Offsets(this.text);
    const startByte = this.#offsets.at(start);
    return { excerpt, range: { start: startByte, end: startByte + utf8Length(excerpt) }, sha256: this.sha256 };
  }

  quoteLines(from: number, to: number): Quote {
    return this.quote(this.lines(from, to));
  }

  get sha256(): string {
    this.#sha256 ??= createHash("sha256").update(this.text, "utf8").digest("hex");
    return this.#sha256;
  }

  /** Returns a nearby position that doesn't split a surrogate pair. */
  #boundary(position: number): number {
    const isInsidePair =
      (this.text.charCodeAt(position) & 0xfc00) === 0xdc00 && (this.text.charCodeAt(position - 1) & 0xfc00) === 0xd800;
    return isInsidePair ? position - 1 : position;
  }

  #lineStarts(): readonly number[] {
    if (this.#starts) return this.#starts;
    const starts = [0];
    for (let at = this.text.indexOf("\n"); at >= 0; at = this.text.indexOf("\n", at + 1)) starts.push(at + 1);
    this.#starts = starts;
    return starts;
  }
}

/** Returns the smallest span that contains a position; null when none does. */
export function innermostSpan<Some extends Span>(spans: readonly Some[], position: number): Some | null {
  let found: Some | null = null;
  for (const one of spans) {
    if (one.start > position || one.end < position) continue;
    if (!found || one.end - one.start < found.end - found.start) found = one;
  }
  return found;
}

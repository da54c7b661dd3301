import type { ParsedFrame } from "../findings/parsed-error.ts";
import type { Language } from "../source/languages/languages.ts";
import type { Span } from "../source/source-text.ts";
import type { Draft } from "./draft.ts";
import { lineUnitsMax } from "./lines.ts";
import type { ReadableLine } from "./readable-line.ts";

/** Reads errors of one language from a text. */
export interface TextFormat {
  /** The name of its row in docs/formats.md. */
  readonly name: string;
  readonly language: Language;
  /**
   * Parses one call of a stack from its line alone; null for any other line. Absent where a call spans several lines.
   */
  readCall?(line: ReadableLine): ParsedFrame | null;
  /** Returns the errors found. Takes the lines that it read, and skips all others. */
  read(stretch: Stretch): readonly Draft[];
}

/** What begins at a line, and the line after it. */
export interface Found {
  readonly drafts: readonly Draft[];
  readonly next: number;
}

/** Returns the errors that begin at the lines of a stretch, and takes their lines. */
export function readEach(stretch: Stretch, readAt: (index: number) => Found | null): Draft[] {
  const drafts: Draft[] = [];
  for (let index = 0; index < stretch.length; ) {
    const found = readAt(index);
    if (found) {
      drafts.push(...found.drafts);
      stretch.take(index, found.next - 1);
    }
    index = found?.next ?? index + 1;
  }
  return drafts;
}

/** Lines that formats read one after the other. A line that one format took is blank for the next. */
export class Stretch {
  readonly #lines: readonly ReadableLine[];
  readonly #taken: Uint8Array;

  constructor(lines: readonly ReadableLine[]) {
    this.#lines = lines;
    this.#taken = new Uint8Array(lines.length);
  }

  get length(): number {
    return this.#lines.length;
  }

  /** Empty for a taken line, and beyond the text. */
  text(index: number): string {
    if (this.#taken[index]) return "";
    const text = this.#lines[index]?.text ?? "";
    return text.length > lineUnitsMax ? text.slice(0, lineUnitsMax) : text;
  }

  line(index: number): ReadableLine | null {
    return this.#lines[index] ?? null;
  }

  isFree(index: number): boolean {
    return index >= 0 && index < this.#lines.length && this.#taken[index] === 0;
  }

  /** Takes lines, both ends included. */
  take(from: number, to = from): void {
    this.#taken.fill(1, Math.max(from, 0), Math.min(to + 1, this.#lines.length));
  }

  /** Returns the span of some lines, both ends included. */
  span(from: number, to = from): Span {
    const start = this.#lines[from]?.printed ?? { start: 0, end: 0 };
    const end = this.#lines[to]?.printed ?? start;
    return { start: start.start, end: Math.max(start.start, end.end) };
  }

  /** Returns the lines that no format took. */
  free(): ReadableLine[] {
    return this.#lines.filter((_, index) => this.#taken[index] === 0);
  }
}

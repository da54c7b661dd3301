import type { LeftOut } from "../../signals/gap.ts";
import type { SourceText, Span } from "../../source/source-text.ts";
import { piecesIn } from "./pieces.ts";

/** How much code an investigation reads. A piece is a word or a symbol, and costs one or two microseconds. */
export const readingLimits = {
  /** Characters in a file; a larger one is most likely a bundle. */
  fileUnitsMax: 400_000,
  /** Pieces in a file: 400 kB of handwritten code. */
  filePiecesMax: 80_000,
  /** Pieces in all files that are read whole. */
  piecesMax: 100_000,
  /** Pieces in the stretches around the stack that are read of other files. */
  stretchPiecesMax: 40_000,
} as const;

/**
 * What is read of a file that isn't read whole: its start, where the imports are, and this much on each side of a
 * frame.
 */
const headUnits = 4_000;
const stretchUnits = 6_000;
/** How many of the lines that the stack names in one file are read, the innermost first. */
const stretchesMax = 3;

/** How a file is read: whole, in stretches around the stack, or not at all. */
export type Portion = "whole" | readonly Span[] | null;

/** Decides how much of each file is read, and records what was left out and why. */
export class Reading {
  readonly #onStack: ReadonlyMap<SourceText, readonly number[]>;
  readonly #stretched: LeftOut[] = [];
  readonly #skipped: string[] = [];
  #pieces = 0;
  #stretchPieces = 0;

  /** `onStack` are the positions in each file that the stack names. */
  constructor(onStack: ReadonlyMap<SourceText, readonly number[]>) {
    this.#onStack = onStack;
  }

  portionOf(source: SourceText): Portion {
    const { fileUnitsMax, filePiecesMax, piecesMax } = readingLimits;
    if (source.text.length > fileUnitsMax) return this.#stretchesOf(source, "too-long");
    const pieces = piecesIn(source.text, Math.min(filePiecesMax, piecesMax - this.#pieces) + 1);
    if (pieces > filePiecesMax) return this.#stretchesOf(source, "generated");
    if (this.#pieces + pieces > piecesMax) return this.#stretchesOf(source, "enough-read");
    this.#pieces += pieces;
    return "whole";
  }

  /** Records that the parser couldn't read a file. */
  giveUp({ name }: SourceText): void {
    this.#stretched.push({ files: [name], portion: "searched-only", why: "nested-too-deeply" });
  }

  get leftOut(): readonly LeftOut[] {
    const skipped: LeftOut = { files: this.#skipped, portion: "searched-only", why: "enough-read" };
    return this.#skipped.length === 0 ? this.#stretched : [...this.#stretched, skipped];
  }

  #stretchesOf(source: SourceText, why: LeftOut["why"]): Portion {
    const positions = this.#onStack.get(source)?.slice(0, stretchesMax) ?? [];
    const spans = positions.length === 0 ? [] : stretchesAround(source, positions);
    const pieces = spans.reduce((sum, { start, end }) => sum + piecesIn(source.text.slice(start, end), end - start), 0);
    const isAffordable = this.#stretchPieces + pieces <= readingLimits.stretchPiecesMax;
    if (spans.length === 0 || !isAffordable) {
      this.#skipped.push(source.name);
      return null;
    }
    this.#stretchPieces += pieces;
    this.#stretched.push({ files: [source.name], portion: "around-the-stack", why });
    return spans;
  }
}

/** Returns a text of the same length that is blank outside the given stretches. */
export function blankOutside(text: string, stretches: readonly Span[]): string {
  let at = 0;
  const pieces = stretches.map(({ start, end }) => {
    const blank = " ".repeat(start - at);
    at = end;
    return `${blank}${text.slice(start, end)}`;
  });
  return `${pieces.join("")}${" ".repeat(text.length - at)}`;
}

/**
 * Returns the start of a file and the stretches around some positions, on line boundaries where lines are short enough.
 */
function stretchesAround(source: SourceText, positions: readonly number[]): Span[] {
  const { length } = source.text;
  const around = positions.map((at) => ({
    start: Math.max(0, at - stretchUnits),
    end: Math.min(length, at + stretchUnits),
  }));
  const spans = [{ start: 0, end: Math.min(length, headUnits) }, ...around].map((span) => toLines(source, span));
  const merged: Span[] = [];
  for (const span of spans.toSorted((left, right) => left.start - right.start)) {
    const last = merged.at(-1);
    if (last && span.start <= last.end)
      merged[merged.length - 1] = { start: last.start, end: Math.max(last.end, span.end) };
    else merged.push(span);
  }
  return merged;
}

/** Shortens a span to whole lines, unless that would leave little of it. */
function toLines({ text }: SourceText, { start, end }: Span): Span {
  const next = start === 0 ? 0 : text.indexOf("\n", start) + 1;
  const last = end === text.length ? end : text.lastIndexOf("\n", end);
  const quarter = stretchUnits / 4;
  return {
    start: next > 0 && next - start < quarter ? next : start,
    end: end - last < quarter && last > start ? last : end,
  };
}

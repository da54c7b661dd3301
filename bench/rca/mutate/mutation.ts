import { createHash } from "node:crypto";

/** A replacement in a file, by character offsets of the published file. */
export interface TextEdit {
  readonly start: number;
  readonly end: number;
  readonly text: string;
}

/** One generic mistake in one file. The first edit is the place of the mistake. */
export interface Mutation {
  readonly operator: string;
  readonly edits: readonly [TextEdit, ...TextEdit[]];
}

/** A replacement of whole lines, numbered from 1 as before any edit. */
export interface LineEdit {
  readonly line_start: number;
  readonly line_end: number;
  readonly text: string;
}

/** Extends edits to whole lines. Lines that an edit leaves blank are removed. */
export function toLineEdits(source: string, edits: readonly TextEdit[]): LineEdit[] {
  return edits.map(({ start, end, text }) => {
    const from = source.lastIndexOf("\n", start - 1) + 1;
    const newline = source.indexOf("\n", end);
    const to = newline < 0 ? source.length : newline;
    const lines = source.slice(from, start) + text + source.slice(end, to);
    return {
      line_start: lineAt(source, from),
      line_end: lineAt(source, to),
      text: lines.trim() === "" ? "" : lines,
    };
  });
}

/** Returns the line of a character offset, from 1. */
export function lineAt(source: string, offset: number): number {
  let line = 1;
  for (let at = source.indexOf("\n"); at >= 0 && at < offset; at = source.indexOf("\n", at + 1)) line++;
  return line;
}

/** Returns by how many lines the edits above `line` move it. */
export function movedBy(edits: readonly LineEdit[], line: number): number {
  let moved = 0;
  for (const { line_start, line_end, text } of edits)
    if (line_end < line) moved += (text === "" ? 0 : text.split("\n").length) - (line_end - line_start + 1);
  return moved;
}

/** Returns a number that depends only on the text. */
export function hashOf(text: string): number {
  return createHash("sha256").update(text).digest().readUInt32BE();
}

/** Returns one of the choices, always the same for a key. */
export function pick<T>(choices: readonly T[], key: string): T | undefined {
  return choices[hashOf(key) % Math.max(1, choices.length)];
}

/** Returns the choices in an order that depends only on the seed. */
export function shuffled<T>(choices: readonly T[], seed: string, keyOf: (choice: T) => string): T[] {
  return choices
    .map((choice) => ({ choice, order: hashOf(seed + keyOf(choice)) }))
    .sort((left, right) => left.order - right.order)
    .map(({ choice }) => choice);
}

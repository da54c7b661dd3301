import type { ParsedFrame } from "../../findings/parsed-error.ts";
import type { SourceText } from "../../source/source-text.ts";

/** Maximum number of places with the same code that are compared. */
const placesMax = 50;

/**
 * Returns the line of a frame in a text. Where the runtime printed the line's code, and the text has it elsewhere, the text is of
 * another version: the nearest place with this code counts instead of the number. Null if the text has no such line.
 */
export function lineOfFrame(source: SourceText, { line, code }: ParsedFrame): number | null {
  if (line === null) return null;
  const moved = code === undefined || source.line(line).trim() === code ? null : nearest(source, code, line);
  return moved ?? (source.has(line) ? line : null);
}

function nearest(source: SourceText, code: string, line: number): number | null {
  const lines: number[] = [];
  for (
    let at = source.text.indexOf(code);
    at >= 0 && lines.length < placesMax;
    at = source.text.indexOf(code, at + 1)
  ) {
    const found = source.lineAt(at);
    if (source.line(found).trim() === code) lines.push(found);
  }
  const [first] = lines.toSorted((left, right) => Math.abs(left - line) - Math.abs(right - line));
  return first ?? null;
}

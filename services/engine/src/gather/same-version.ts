import type { ParsedFrame } from "../findings/parsed-error.ts";
import { isAnchored } from "../source/anchor.ts";

/**
 * Returns whether a file has the lines that ran, as far as the frame shows them: the frame's line and most of those
 * around it. Without context lines, the file has to be long enough, or to have the printed function, which may have moved.
 */
export function isSameVersion(file: { readonly name: string; readonly text: string }, frame: ParsedFrame): boolean {
  const { line, context } = frame;
  const lines = file.text.split("\n");
  const isLongEnough = line === null || line <= lines.length;
  if (!context || context.lines.length === 0)
    return isLongEnough || (frame.function !== null && isAnchored(file, frame));
  if (!isLongEnough) return false;
  const { start_line: start, lines: ran } = context;
  const isSame = (number: number): boolean => isSameLine(lines[number - 1], ran[number - start]);
  if (line !== null && ran[line - start] !== undefined && !isSame(line)) return false;
  const same = ran.filter((_, offset) => isSame(start + offset)).length;
  return same * 2 > ran.length;
}

/** Clients may truncate long lines and drop line endings. */
function isSameLine(given: string | undefined, ran: string | undefined): boolean {
  if (given === undefined || ran === undefined) return false;
  const start = ran.trimEnd().replace(/…$/, "");
  return start === "" ? given.trim() === "" : given.startsWith(start);
}

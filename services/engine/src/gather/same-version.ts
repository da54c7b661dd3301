import type { ParsedFrame } from "../findings/parsed-error.ts";

/**
 * Returns whether a file has the lines that ran, as far as the frame shows them: the frame's line and most of those
 * around it. A line's number alone shows nothing: what is above it may have grown or shrunk.
 */
export function isSameVersion(text: string, { line, context }: ParsedFrame): boolean {
  if (!context || context.lines.length === 0) return true;
  const lines = text.split("\n");
  if (line !== null && line > lines.length) return false;
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

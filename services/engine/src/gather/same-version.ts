import type { ParsedFrame } from "../findings/parsed-error.ts";

/**
 * Whether a file has the lines that ran, as far as the frame shows them: its own line, and most of those around. A frame
 * without lines only asks for a file that is long enough.
 */
export function isSameVersion(text: string, { line, context }: ParsedFrame): boolean {
  const lines = text.split("\n");
  if (line !== null && line > lines.length) return false;
  if (!context || context.lines.length === 0) return true;
  const { start_line: start, lines: ran } = context;
  const isSame = (number: number): boolean => isSameLine(lines[number - 1], ran[number - start]);
  if (line !== null && ran[line - start] !== undefined && !isSame(line)) return false;
  const same = ran.filter((_, offset) => isSame(start + offset)).length;
  return same * 2 > ran.length;
}

/** Clients may cut long lines, and leave out what ends them. */
function isSameLine(given: string | undefined, ran: string | undefined): boolean {
  if (given === undefined || ran === undefined) return false;
  const start = ran.trimEnd().replace(/…$/, "");
  return start === "" ? given.trim() === "" : given.startsWith(start);
}

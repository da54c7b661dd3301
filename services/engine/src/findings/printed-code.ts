import type { ParsedException, ParsedFrame } from "./parsed-error.ts";

/** Longest distance between an error and the line of code printed above it, in UTF-16 units. */
const reachUnitsMax = 2_000;

/**
 * Returns the line of code that the report of an error shows for a frame, as it ran, without its indentation: printed by
 * the runtime, or sent by a client. Null when only the place is known.
 */
export function printedCode(frame: ParsedFrame, exception: ParsedException): string | null {
  const { code, context, line } = frame;
  const sent = context && line !== null ? context.lines[line - context.start_line] : undefined;
  return code ?? stripped(sent) ?? aboveError(frame, exception);
}

/** Node.js prints the line that threw an uncaught error above it, below its place. */
function aboveError({ file, line }: ParsedFrame, { source, printed, throwSite }: ParsedException): string | null {
  if (!throwSite || throwSite.file !== file || throwSite.line !== line) return null;
  const above = source.text.slice(Math.max(0, printed.start - reachUnitsMax), printed.start);
  const place = `${throwSite.file}:${throwSite.line}\n`;
  const at = above.lastIndexOf(place);
  return at < 0 ? null : stripped(above.slice(at + place.length).split("\n", 1)[0]);
}

function stripped(code: string | undefined): string | null {
  const line = code?.trim() ?? "";
  return line === "" ? null : line;
}

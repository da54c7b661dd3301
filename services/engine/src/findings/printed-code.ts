import type { ParsedException, ParsedFrame } from "./parsed-error.ts";

/** Longest distance between an error and the line of code printed above it, in UTF-16 units. */
const reachUnitsMax = 2_000;

/** Returns {@link printedLine} without its indentation. */
export function printedCode(frame: ParsedFrame, exception: ParsedException): string | null {
  return printedLine(frame, exception)?.trim() ?? null;
}

/**
 * Returns the line of code that the report of an error shows for a frame, as it ran: printed by the runtime, which may
 * leave out its indentation, or sent by a client. Null when only the place is known.
 */
export function printedLine(frame: ParsedFrame, exception: ParsedException): string | null {
  const { code, context, line } = frame;
  const sent = context && line !== null ? context.lines[line - context.start_line] : undefined;
  return [code, sent, aboveError(frame, exception)].find((one) => one !== undefined && one.trim() !== "") ?? null;
}

/** Node.js prints the line that threw an uncaught error above it, below its place. */
function aboveError({ file, line }: ParsedFrame, { source, printed, throwSite }: ParsedException): string | undefined {
  if (!throwSite || throwSite.file !== file || throwSite.line !== line) return undefined;
  const above = source.text.slice(Math.max(0, printed.start - reachUnitsMax), printed.start);
  const place = `${throwSite.file}:${throwSite.line}\n`;
  const at = above.lastIndexOf(place);
  return at < 0 ? undefined : above.slice(at + place.length).split("\n", 1)[0];
}

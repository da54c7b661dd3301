import type { ParsedException, ParsedFrame } from "./parsed-error.ts";

/** Longest distance between a frame and the line of code printed with it, in UTF-16 units. */
const reachUnitsMax = 2_000;

/**
 * Returns the line of code that the report of an error shows for a frame, as it ran, without its indentation: sent by a
 * client, or printed by the runtime. Null when only the place is known.
 */
export function printedCode(frame: ParsedFrame, exception: ParsedException): string | null {
  const { context, line } = frame;
  const sent = context && line !== null ? context.lines[line - context.start_line] : undefined;
  return stripped(sent) ?? belowFrame(frame, exception) ?? aboveError(frame, exception);
}

/** Python prints the line below `File "…", line 7`, IPython behind an arrow and its number. */
function belowFrame({ printed, line }: ParsedFrame, { source: { text } }: ParsedException): string | null {
  if (!printed || line === null) return null;
  const [own = "", next = "", ...others] = text.slice(printed.start, printed.end + reachUnitsMax).split("\n");
  if (/^\s*File "[^"]*", line \d/.test(own)) return /^\s{4}(?!\s*[~^])/.test(next) ? stripped(next) : null;
  const arrow = new RegExp(`^-+>\\s*${line}\\s(.*)$`);
  const pointed = [own, next, ...others].find((one) => arrow.test(one));
  return stripped(pointed && arrow.exec(pointed)?.[1]);
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

import type { SourceContext } from "@whence/protocol";
import { limits } from "@whence/protocol/limits";
import { trimText } from "../runtime/text.ts";
import * as sdkLimits from "../sdk-limits.ts";
import { enclosingFunction } from "./enclosing-function.ts";

/** The source available for a place. */
export interface PlaceSource {
  /** The lines around it, and the line range of its function. */
  readonly near: SourceContext;
  /** All lines of the function; absent when `near` contains them. */
  readonly whole?: SourceContext;
}

/** Lines of a file, and the 1-based number of the first. */
interface Lines {
  readonly first: number;
  readonly texts: readonly string[];
}

const lineBreak = 0x0a;

/** Returns the source around the 1-based `line`; undefined when the file ends before it. */
export function linesAround(content: Buffer, line: number): PlaceSource | undefined {
  const near = linesNear(content, line, sdkLimits.contextLinesAround);
  if (!near || near.texts.length <= line - near.first) return undefined;
  const lines = linesNear(content, line, sdkLimits.functionLinesMax, sdkLimits.functionSearchBytesMax);
  const found =
    lines && enclosingFunction(lines.texts, line - lines.first, ({ start, end }) => isSent(lines, start, end));
  if (!found) return { near: contextOf(near) };
  const [start, end] = [lines.first + found.start, lines.first + found.end];
  const context = { ...contextOf(near), function: { start_line: start, end_line: end } };
  if (start >= near.first && end < near.first + near.texts.length) return { near: context };
  return { near: context, whole: contextOf({ first: start, texts: lines.texts.slice(found.start, found.end + 1) }) };
}

/** Whether a function is small enough to send. */
function isSent({ texts }: Lines, start: number, end: number): boolean {
  if (end - start >= sdkLimits.functionLinesMax) return false;
  return Buffer.byteLength(texts.slice(start, end + 1).join("\n")) <= limits.functionBytesMax;
}

/** Returns `around` lines before and after a line; undefined when the file is shorter or they exceed `bytesMax`. */
function linesNear(content: Buffer, line: number, around: number, bytesMax = content.length): Lines | undefined {
  const first = Math.max(1, line - around);
  const start = lineStart(content, 0, first - 1);
  if (start === -1) return undefined;
  const end = lineStart(content, start, line + around - first + 1);
  const stop = end === -1 ? content.length : end - 1;
  if (stop - start > bytesMax) return undefined;
  // Twice as fast as splitting at a pattern.
  return { first, texts: content.toString("utf8", start, stop).replaceAll("\r\n", "\n").split("\n") };
}

function contextOf({ first, texts }: Lines): SourceContext {
  return { start_line: first, lines: texts.map((text) => trimText(text, sdkLimits.contextLineLengthMax)) };
}

/** Returns the start of the line that is `lines` further; -1 beyond the end. */
function lineStart(content: Buffer, from: number, lines: number): number {
  let start = from;
  for (let skipped = 0; skipped < lines; skipped++) {
    const end = content.indexOf(lineBreak, start);
    if (end === -1) return -1;
    start = end + 1;
  }
  return start;
}

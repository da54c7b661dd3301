import type { SourceContext } from "@whence/protocol";
import * as sdkLimits from "./sdk-limits.ts";
import { trimText } from "./text.ts";

const lineBreak = 0x0a;

/** The lines around the 1-based `line`; undefined when the file ends before it. */
export function linesAround(content: Buffer, line: number): SourceContext | undefined {
  const first = Math.max(1, line - sdkLimits.contextLinesAround);
  const start = lineStart(content, 0, first - 1);
  if (start === -1) return undefined;
  const end = lineStart(content, start, line + sdkLimits.contextLinesAround - first + 1);
  const lines = content.toString("utf8", start, end === -1 ? content.length : end - 1).split(/\r?\n/);
  if (lines.length <= line - first) return undefined;
  return { start_line: first, lines: lines.map((text) => trimText(text, sdkLimits.contextLineLengthMax)) };
}

/** Where the line begins that is `lines` further; -1 beyond the end. */
function lineStart(content: Buffer, from: number, lines: number): number {
  let start = from;
  for (let skipped = 0; skipped < lines; skipped++) {
    const end = content.indexOf(lineBreak, start);
    if (end === -1) return -1;
    start = end + 1;
  }
  return start;
}

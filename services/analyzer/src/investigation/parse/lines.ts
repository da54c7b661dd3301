import { stripVTControlCharacters } from "node:util";
import type { SourceText, Span } from "../source-text.ts";

/** A line as it is to be read, and the stretch of the source that it stands for. */
export interface ReadableLine {
  readonly text: string;
  readonly printed: Span;
}

/** Lines longer than this are data, not a header or a frame; only their beginning is read. */
const lineUnitsMax = 16_384;
/** `web-1  | `, as `docker compose logs` prints it. */
const composePrefix = /^[\w.-]{1,80} {0,40}\| /;
/** `2026-01-31T10:00:00.123456789Z stderr F `, as a container runtime writes it, and `docker logs -t`. */
const containerPrefix = /^\d{4}-\d\d-\d\dT[\d:.]{8,18}(?:Z|[+-]\d\d:\d\d) (?:std(?:out|err) [FP] )?/;

/** The lines of a source without colours and log shippers' prefixes. */
export function readableLines(source: SourceText): ReadableLine[] {
  const lines: ReadableLine[] = [];
  let start = 0;
  for (const raw of source.text.split("\n")) {
    lines.push({ text: readable(raw), printed: { start, end: start + raw.length } });
    start += raw.length + 1;
  }
  return lines;
}

function readable(raw: string): string {
  const bounded = raw.length > lineUnitsMax ? raw.slice(0, lineUnitsMax) : raw;
  const plain = bounded.includes("\u001b") || bounded.includes("\u009b") ? stripVTControlCharacters(bounded) : bounded;
  return plain.replace(composePrefix, "").replace(containerPrefix, "").trimEnd();
}

/** How far a line is indented, in characters. */
export function indentOf(text: string): number {
  return text.length - text.trimStart().length;
}

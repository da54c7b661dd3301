import type { Span } from "../source/source-text.ts";
import type { Carrier } from "./carriers.ts";

/** A cleaned line, and the span of the source that it represents. */
export interface ReadableLine {
  readonly text: string;
  readonly printed: Span;
  /** The position of the text in the source when it is there verbatim; otherwise null. */
  readonly verbatimAt: number | null;
  /** What transported the line; null without such a prefix. */
  readonly carrier: Carrier | null;
  /** Set for a line inside a logged value, as opposed to the program's own output. */
  readonly inValue?: boolean;
  /** Set if it fills the panel that is drawn around it, where longer lines are cut off. */
  readonly fillsPanel?: boolean;
}

/** Returns a line without its first `width` characters, and with no more than `length` of the others. */
export function cut(line: ReadableLine, width: number, length = Number.POSITIVE_INFINITY): ReadableLine {
  return {
    ...line,
    text: line.text.slice(width, width + length),
    verbatimAt: line.verbatimAt === null ? null : line.verbatimAt + width,
  };
}

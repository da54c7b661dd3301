import type { Span } from "../source/source-text.ts";
import type { Carrier } from "./carriers.ts";

/** A line as it is to be read, and the stretch of the source that it stands for. */
export interface ReadableLine {
  readonly text: string;
  readonly printed: Span;
  /** Where the text begins in the source, when it stands there letter by letter; else null. */
  readonly verbatimAt: number | null;
  /** What transported the line; null if it has no such prefix. */
  readonly carrier: Carrier | null;
  /** Set for a line of a value that a program logged, and not of what it printed. */
  readonly inValue?: boolean;
}

import type { SourceContext } from "@whence/protocol";
import type { Gap } from "../signals/gap.ts";
import type { Alert } from "../signals/inputs/alert.ts";
import type { LogLevel, LogRecord } from "../signals/inputs/record.ts";
import type { Language } from "../source/languages/languages.ts";
import type { SourceText, Span } from "../source/source-text.ts";
import type { ChosenBecause } from "./chosen-because.ts";
import type { LogContext } from "./log-context.ts";

/** Whose code a frame is: the user's, an installed package's, or the runtime's. */
export type FrameOrigin = "app" | "dependency" | "runtime";

/** One call on the stack. Lines and columns are 1-based. */
export interface ParsedFrame {
  readonly function: string | null;
  /**
   * As printed, without `file://` and with `/` between folders. The JVM prints a base name: it stands behind the
   * folders of its package.
   */
  readonly file: string | null;
  readonly line: number | null;
  readonly column: number | null;
  readonly origin: FrameOrigin;
  readonly async: boolean;
  /** Where it is printed; null when it is not. */
  readonly printed: Span | null;
  readonly context: SourceContext | null;
}

export type Scalar = string | number | boolean | null;

/** One error of a chain. */
export interface ParsedException {
  readonly type: string;
  readonly message: string;
  /** Own scalar properties: `code`, `errno`, `syscall`, … */
  readonly properties: Readonly<Record<string, Scalar>>;
  /** Innermost call first. */
  readonly frames: readonly ParsedFrame[];
  /** Index of the error that this one caused or that aggregates it; null at the head of a chain. */
  readonly parent: number | null;
  readonly relation: ErrorRelation | null;
  /** What it is quoted from, and where it stands there. */
  readonly source: SourceText;
  readonly printed: Span;
  /** The file and line that the runtime printed above an uncaught error. */
  readonly throwSite: { readonly file: string; readonly line: number; readonly column: number | null } | null;
  /** Whether it ended the process. */
  readonly fatal: boolean;
  /** The language, or the runtime, that printed it; null when only a name and a message were given. */
  readonly language: Language | null;
  /** What it was logged with; null when that was not said. */
  readonly level: LogLevel | null;
  /** How many times it stands in the input: with the same type, message (numbers aside) and innermost frame. */
  readonly repeats: number;
  readonly logContext: LogContext;
}

/**
 * How an error belongs to its parent: it caused it; it is one of several that the parent stands for; it was being
 * handled when the parent was raised; it occurred while the parent was propagating, and was suppressed.
 */
export type ErrorRelation = "cause" | "aggregated" | "context" | "suppressed";

/** What was read from the input. */
export interface ParsedError {
  /** Every error found, in reading order; a cause comes after what it caused. */
  readonly exceptions: readonly ParsedException[];
  /** Indexes of the chain to investigate, the outermost first. Empty when no error was recognised. */
  readonly chain: readonly number[];
  /** Why this chain and not another; null when there was no choice. */
  readonly chosenBecause: ChosenBecause | null;
  /** Log records around the chosen error, in reading order. */
  readonly records: readonly LogRecord[];
  /** The alert that was handed in, the most severe of several. */
  readonly alert: Alert | null;
  /** The text that tells what happened when no error was recognised. */
  readonly headline: string;
  /** Texts that were read, for quoting. */
  readonly sources: readonly SourceText[];
  /** What could not be read. */
  readonly unread: readonly Gap[];
}

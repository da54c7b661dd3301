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
   * As printed, without `file://` and with `/` between folders. The JVM prints only a base name; it gets the folders of
   * its package in front.
   */
  readonly file: string | null;
  readonly line: number | null;
  readonly column: number | null;
  readonly origin: FrameOrigin;
  /** Whether the client says that it isn't the program's own, whatever its path shows. */
  readonly disowned?: true;
  readonly async: boolean;
  /** Where it is printed; null when it isn't. */
  readonly printed: Span | null;
  readonly context: SourceContext | null;
  /** Its local variables when the error was thrown, as the client copied them. */
  readonly variables?: Readonly<Record<string, unknown>>;
  /** The code of its line, without its indent, where the runtime prints it. */
  readonly code?: string;
  /** The part of {@link code} that failed, where the runtime marks it. */
  readonly marked?: Span;
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
  /** The text it is quoted from, and its position there. */
  readonly source: SourceText;
  readonly printed: Span;
  /** The file and line that the runtime printed above an uncaught error. */
  readonly throwSite: { readonly file: string; readonly line: number; readonly column: number | null } | null;
  /** Whether it ended the process. */
  readonly fatal: boolean;
  /** The language or runtime that printed it; null when only a name and a message were given. */
  readonly language: Language | null;
  /** The level it was logged at; null when unknown. */
  readonly level: LogLevel | null;
  /** How many times it occurs in the input, with the same type, message (ignoring numbers), and innermost frame. */
  readonly repeats: number;
  readonly logContext: LogContext;
}

/**
 * How an error relates to its parent: it caused it; it is one of several that the parent aggregates; it was being
 * handled when the parent was raised; or it occurred while the parent was propagating, and was suppressed.
 */
export type ErrorRelation = "cause" | "aggregated" | "context" | "suppressed";

/** What was read from the input. */
export interface ParsedError {
  /** Every error found, in reading order; a cause comes after what it caused. */
  readonly exceptions: readonly ParsedException[];
  /** Indexes of the chain to investigate, the outermost first. Empty when no error was recognized. */
  readonly chain: readonly number[];
  /** Why this chain was chosen; null when it is the only one. */
  readonly chosenBecause: ChosenBecause | null;
  /** Log records around the chosen error, in reading order. */
  readonly records: readonly LogRecord[];
  /** The alert in the input, the most severe of several. */
  readonly alert: Alert | null;
  /** The text that says what happened when no error was recognized. */
  readonly headline: string;
  /** The texts that were read, for quoting. */
  readonly sources: readonly SourceText[];
  /** What couldn't be read. */
  readonly unread: readonly Gap[];
}

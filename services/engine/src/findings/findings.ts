import type {
  Breadcrumb,
  Category,
  Evidence,
  IntegrationKindName,
  Location,
  ProcessExit,
  SourceContext,
  TelemetryEvent,
} from "@whence/protocol";
import type { OnlyChange } from "../changes/only-change.ts";
import type { TellingChange } from "../changes/telling-changes.ts";
import type { AnyFact, Fact } from "../signals/fact.ts";
import type { Gap } from "../signals/gap.ts";
import type { Alert } from "../signals/inputs/alert.ts";
import type { OutgoingCall } from "../signals/inputs/call.ts";
import type { LogLevel, LogRecord } from "../signals/inputs/record.ts";
import type { Language } from "../source/languages/languages.ts";
import type { SourceText, Span } from "../source/source-text.ts";
import type { AnnouncedFailure } from "./announced-failure.ts";
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

/** What an event says beyond its exceptions. */
export interface EventFacts {
  readonly id: string;
  readonly at: string;
  readonly service: string;
  readonly env: string;
  readonly release: string;
  readonly host: string;
  readonly instance: string;
  readonly mechanism: TelemetryEvent["mechanism"];
  readonly type: TelemetryEvent["type"];
  readonly breadcrumbs: readonly Breadcrumb[];
  readonly calls: readonly OutgoingCall[];
  readonly request: TelemetryEvent["request"];
  readonly trace: TelemetryEvent["trace"];
}

/** A place in code whose text is known. */
export interface CodePlace extends Location {
  readonly source: SourceText;
  readonly line: number;
}

/** A frame with the text around it, when there is any. */
export interface LocatedFrame {
  readonly exception: number;
  readonly index: number;
  readonly frame: ParsedFrame;
  /** The attached file's name, or the frame's own path. */
  readonly file: string;
  readonly place: CodePlace | null;
}

/** A known failure that the evidence matches. */
export interface SignatureMatch {
  readonly signature: Signature;
  /** Index of the exception whose type, message or code matched; null when it was the text. */
  readonly exception: number | null;
  readonly matched: string;
  /** The groups of the pattern, by name. */
  readonly groups: Readonly<Record<string, string>>;
}

/** A known failure: what it means, how to check it, and what to do. `{name}` in a text stands for the group of that name. */
export interface Signature {
  readonly id: string;
  readonly category: Category;
  /** One sentence that names the failure. */
  readonly meaning: string;
  /** A clause: an observation that confirms this failure. */
  readonly confirms: string;
  /** A clause: an observation that rules this failure out. */
  readonly rulesOut: string;
  /** What to do first, if there is something specific to do. */
  readonly fixNow?: string;
  /** What keeps it from happening again, if there is something specific to do. */
  readonly prevent?: string;
  /** Documentation by those who raise the error. */
  readonly url: string;
}

/** Evidence that has no number and no words yet: both come with its citation. */
export type Observation<Of extends AnyFact = Fact> = Omit<Evidence, "id" | "summary"> & {
  /** What it shows; ranking and words are made from it. */
  readonly fact: Of;
};

/** All that an investigation knows before it ranks. */
export interface Findings {
  readonly incident: {
    readonly id: string;
    readonly service: string | null;
    readonly env: string | null;
    readonly fingerprint: string | null;
  };
  /** When the input was observed: the event's time, when the failure of a text began, or when the text was investigated. RFC 3339. */
  readonly observedAt: string;
  readonly error: ParsedError;
  readonly event: EventFacts | null;
  /** What is known of a failure that was announced in words; absent for any other. */
  readonly about?: AnnouncedFailure;
  readonly files: readonly SourceText[];
  readonly frames: readonly LocatedFrame[];
  readonly observations: readonly Observation[];
  readonly signatures: readonly SignatureMatch[];
  readonly notChecked: readonly Gap[];
  /** What releases changed that bears on the failure, those that tell most first; absent for a process exit. */
  readonly changes?: readonly TellingChange[];
  /** Of releases that changed a single file, the file, whatever the failure; before a process exit, three files at most. */
  readonly onlyChanges?: readonly OnlyChange[];
  /** Which commits changed lines of the failing code last; absent for a process exit. */
  readonly lastChanges?: readonly Observation[];
  /** The kinds of integrations that the organization has connected; absent when none was looked for. */
  readonly connected?: readonly IntegrationKindName[];
  /** The processes that stopped reporting; absent for an error. */
  readonly exit?: ProcessExit;
}

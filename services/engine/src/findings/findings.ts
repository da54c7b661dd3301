import type { IntegrationKindName, ProcessExit, TriedPatch } from "@whence/protocol";
import type { OnlyChange } from "../changes/only-change.ts";
import type { TellingChange } from "../changes/telling-changes.ts";
import type { Gap } from "../signals/gap.ts";
import type { SourceText } from "../source/source-text.ts";
import type { AnnouncedFailure } from "./announced-failure.ts";
import type { EventFacts } from "./event-facts.ts";
import type { LocatedFrame } from "./located-frame.ts";
import type { Observation } from "./observation.ts";
import type { ParsedError } from "./parsed-error.ts";
import type { SignatureMatch } from "./signature.ts";
import type { SeenPlaces } from "./verdict.ts";

/** What the input asks to investigate: an error, an announced failure, or processes that ended. */
export interface ParsedInput {
  readonly incident: {
    readonly id: string;
    readonly service: string | null;
    readonly env: string | null;
    readonly fingerprint: string | null;
  };
  /**
   * When the input was observed: the time of the event, the time the failure in a text began, or the time the text was
   * investigated. RFC 3339.
   */
  readonly observedAt: string;
  readonly error: ParsedError;
  readonly event: EventFacts | null;
  /** Present for a failure that was announced in words. */
  readonly about?: AnnouncedFailure;
  /** The processes that stopped reporting; absent for an error. */
  readonly exit?: ProcessExit;
}

/** The code that is known. */
export interface KnownCode {
  readonly files: readonly SourceText[];
  readonly frames: readonly LocatedFrame[];
  /** Other files that a language model read; it may quote them, and the ranking doesn't see them. */
  readonly readByModel?: readonly SourceText[];
}

/** What changed before the failure. */
export interface KnownChanges {
  /** The changes of releases that bear on the failure, the strongest first; absent for a process exit. */
  readonly changes?: readonly TellingChange[];
  /**
   * The changed files of releases that changed a single file, whatever the failure; before a process exit, of up to
   * three files.
   */
  readonly onlyChanges?: readonly OnlyChange[];
  /** The commits that last changed lines of the failing code; absent for a process exit. */
  readonly lastChanges?: readonly Observation[];
}

/** Everything that an investigation knows before it ranks. */
export interface Findings extends ParsedInput, KnownCode, KnownChanges {
  readonly observations: readonly Observation[];
  readonly signatures: readonly SignatureMatch[];
  readonly notChecked: readonly Gap[];
  /** The kinds of integrations that the organization has connected; absent when not looked up. */
  readonly connected?: readonly IntegrationKindName[];
  /** What watched runs of the failing command, or the running program, decide; absent when the failure wasn't seen in any. */
  readonly verdicts?: SeenPlaces;
  /** The patches of earlier reports that were tried. */
  readonly tried?: readonly TriedPatch[];
}

import type { IntegrationKindName, ProcessExit } from "@whence/protocol";
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

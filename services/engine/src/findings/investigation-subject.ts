import type { FileContent, Host, IntegrationKindName, Observed, ProcessExit, TelemetryEvent } from "@whence/protocol";
import type { GatheredFile } from "../gather/chosen-files.ts";
import type { Gap } from "../signals/gap.ts";
import type { WatchedEvent } from "../watched/watched-event.ts";
import type { AnnouncedFailure } from "./announced-failure.ts";
import type { FileNotRead } from "./file-not-read.ts";
import type { OrganizationHistory } from "./organization-history.ts";

/** The subject of an investigation. */
export interface InvestigationSubject {
  /** What is known in advance to be left unchecked. */
  readonly notChecked?: readonly Gap[];
  /** How the organization's earlier reports turned out; absent when not requested. */
  readonly history?: OrganizationHistory;
  /** The files that a language model has read in addition to the input; absent when none was asked. */
  readonly readByModel?: readonly GatheredFile[];
  /** The kinds of integrations that the organization has connected; absent when not looked up. */
  readonly connected?: readonly IntegrationKindName[];
  readonly incident: {
    readonly id: string;
    readonly service: string | null;
    readonly env: string | null;
    readonly fingerprint: string | null;
  };
  readonly input:
    | {
        readonly kind: "text";
        readonly errorLog: string;
        readonly files: readonly (FileContent | GatheredFile)[];
        /** Files that were gathered for it but couldn't be read. */
        readonly notRead?: readonly FileNotRead[];
        /** What was seen in watched runs of the failing command; absent where no one asked to see it. */
        readonly observed?: Observed;
        /** What is known besides the text; absent for a pasted text, about which no collector is asked. */
        readonly about?: AnnouncedFailure;
      }
    | {
        readonly kind: "event";
        readonly event: TelemetryEvent;
        readonly service: string;
        readonly env: string;
        readonly release: string;
        readonly host: Host;
        readonly instance: string;
        readonly receivedAt: string;
        /** The service's code that was gathered for it. */
        readonly files: readonly GatheredFile[];
        readonly notRead: readonly FileNotRead[];
        /** Later events of the same failure and release that carry what was seen, the oldest first. */
        readonly watched?: readonly WatchedEvent[];
      }
    | {
        readonly kind: "process-exit";
        readonly exit: ProcessExit;
        /** The service's code that was gathered for the stack of a blocked process; absent when none was. */
        readonly files?: readonly GatheredFile[];
        readonly notRead?: readonly FileNotRead[];
      };
}

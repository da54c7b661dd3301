/** A file that the error leads to and that was not read. */
export interface FileNotRead {
  readonly file: string;
  /** `other-version`: its lines are not those that ran. `no-room`: the files that matter more used the limits up. */
  readonly why: "absent" | "too-large" | "not-text" | "other-version" | "no-room";
}

/** Code that was read in part, or searched for the names it defines and not followed. */
export interface LeftOut {
  readonly files: readonly string[];
  readonly portion: "around-the-stack" | "searched-only";
  readonly why: "too-long" | "generated" | "enough-read" | "nested-too-deeply";
}

/**
 * Why a text may have been made to show another error than occurred: calls that its message may have printed; a V8 stack
 * longer than V8 keeps; a JSON name with two values; control characters that move the cursor or erase text; an error that
 * only stands in a logged value.
 */
export type ForgerySign = "stack-in-message" | "long-stack" | "repeated-key" | "terminal-control" | "logged-value";

/** Something that an investigation could not see, or did not look at. */
export type Gap =
  | { readonly kind: "collector-too-slow"; readonly collector: string; readonly afterMs: number }
  | {
      readonly kind: "collector-failed";
      readonly collector: string;
      readonly error: string;
      readonly isPartial: boolean;
    }
  | ({ readonly kind: "code-left-out" } & LeftOut)
  /** Files of a service's source that the error leads to. */
  | { readonly kind: "files-not-read"; readonly why: FileNotRead["why"]; readonly files: readonly string[] }
  /** Reading took too long, or too much memory: no code was read, and of a long text only the beginning. */
  | { readonly kind: "stopped-early"; readonly textUnitsRead: number | null }
  | { readonly kind: "alert-alone"; readonly system: string }
  | { readonly kind: "unknown-format"; readonly lines: number }
  | { readonly kind: "no-stack" }
  | { readonly kind: "long-lines"; readonly lines: number; readonly unitsRead: number }
  | { readonly kind: "cut-records"; readonly records: number }
  | { readonly kind: "errors-left-out"; readonly errors: number }
  /** Errors that might be the failure as well, and that weren't followed. */
  | { readonly kind: "rival-errors"; readonly errors: readonly NamedError[] }
  /** Errors inside a logged value. */
  | { readonly kind: "errors-in-values"; readonly errors: readonly NamedError[] }
  /** The investigated error may be one that a part of the text was made to look like. */
  | { readonly kind: "forgeable-text"; readonly signs: readonly ForgerySign[] }
  /** From the middle of a chain. */
  | { readonly kind: "causes-left-out"; readonly causes: number }
  | { readonly kind: "records-left-out"; readonly records: number }
  /** An event with a message and without an exception. */
  | { readonly kind: "message-only" }
  /** A pasted text, which belongs to no telemetry. */
  | { readonly kind: "no-telemetry" }
  /** An announced failure of no service that is known: neither telemetry nor integrations were asked. */
  | { readonly kind: "no-service" }
  /** An announced failure of a service that reports nothing. */
  | { readonly kind: "not-in-telemetry"; readonly service: string }
  /** An announced failure that no event shows. */
  | { readonly kind: "no-event"; readonly service: string }
  | { readonly kind: "no-files" }
  | { readonly kind: "frames-without-text"; readonly frames: number; readonly of: number }
  | { readonly kind: "no-own-frame" }
  /** Nothing that is connected knows what changed the name of a host, or its rules, that couldn't be reached. */
  | { readonly kind: "network-not-connected"; readonly host: string }
  /** Nothing that is connected knows what was deployed, and telemetry names no release. */
  | { readonly kind: "deployments-not-connected"; readonly service: string }
  /** Of a process exit: how the machine says that the process ended. */
  | { readonly kind: "machine"; readonly isKubernetesConnected: boolean }
  | { readonly kind: "process-output"; readonly areLogsConnected: boolean }
  | { readonly kind: "planned-runs" }
  | { readonly kind: "no-last-activity" }
  | { readonly kind: "no-heartbeats"; readonly processes: number };

/** An error that a reader can find in the text. */
export interface NamedError {
  readonly type: string;
  /** `file:line` of its innermost own frame; null without one. */
  readonly place: string | null;
}

/** Why one error of several was investigated. */
export interface ChosenBecause {
  readonly reason:
    | "ended-process"
    /** No logger printed it, and nothing was printed after it. */
    | "ends-text"
    | "logged-fatal"
    | "first-own-stack"
    | "first-stack"
    | "first-error"
    | "first"
    /** The others only report another attempt. */
    | "first-that-explains";
  /** How many more there are. */
  readonly others: number;
  /** Whether it is the last of several that ended the process. */
  readonly isLast: boolean;
  /** Indexes of the others that might be the failure as well. */
  readonly rivals: readonly number[];
  /** Indexes of those that stand inside a logged value, which is input and no failure. */
  readonly inValues: readonly number[];
}

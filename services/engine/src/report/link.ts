import type { Location, OutsideFinding } from "@whence/protocol";
import type { OnlyChange } from "../changes/only-change.ts";
import type { TellingChange } from "../changes/telling-changes.ts";
import type { Alert, Observation, OutgoingCall } from "../findings/findings.ts";
import type { ReleaseChange } from "../findings/release-change.ts";
import type {
  AnyFact,
  DeployFact,
  ExitFact,
  FailingCalls,
  LastHeartbeatFact,
  ProcessState,
  RelatedFailure,
} from "../findings/telemetry-facts.ts";
import type { SeenInCode } from "../signals/code/code-kind.ts";
import type { AnyCodeSignal } from "../signals/signal.ts";

/** What a release changed, with its place as it is shown. */
export type ShownChange = Pick<TellingChange | OnlyChange, "told" | "place"> & Pick<ReleaseChange, "commit">;

/** What a link of the causal chain can be, each kind with its arguments. Places have their paths as shown. */
export interface LinkArgs {
  /** A release of the failing service or of one that it depends on. */
  readonly release: {
    readonly deploy: DeployFact;
    /** What it changed that bears on the failure, or all that it changed; null where that isn't known. */
    readonly change: ShownChange | null;
  };
  /** An answer no longer has a field that the code reads. */
  readonly "changed-answer": { readonly service: string; readonly release: string; readonly field: string | null };
  readonly "related-failure": { readonly failure: RelatedFailure };
  readonly "failing-calls": { readonly calls: FailingCalls };
  readonly call: { readonly call: OutgoingCall };
  readonly process: { readonly state: ProcessState };
  readonly dependency: {
    readonly name: string;
    /** The system's code of the failure, such as `ECONNREFUSED`. */
    readonly code: string | null;
  };
  readonly setting: {
    readonly name: string;
    readonly where: "environment" | "configuration";
    readonly service: string | null;
  };
  readonly input: { readonly name: string; readonly request: string | null };
  readonly service: { readonly service: string };
  readonly code: { readonly signal: AnyCodeSignal } & SeenInCode;
  /** A call on the stack, with nothing more known about it. */
  readonly frame: {
    readonly place: Location;
    readonly isInstalled: boolean;
    /** Where the stack doesn't pass, nothing but the ranking points to the place. */
    readonly isOnStack: boolean;
  };
  /** The error as it was thrown. */
  readonly failure: {
    readonly type: string;
    readonly message: string;
    readonly place: Location | null;
    /** Whether it was thrown at the place itself, and not in what that calls. */
    readonly isThrower: boolean;
    readonly request: string | null;
  };
  readonly alert: { readonly alert: Alert };
  /** A text without an error in it. */
  readonly text: { readonly headline: string };
  /** What someone changed, as a connected third party reports it. */
  readonly change: {
    readonly change: Extract<OutsideFinding, { readonly kind: "change" }>;
    /** When the failure was first seen, or a process last reported. RFC 3339. */
    readonly firstSeen: string;
    /** Whether `firstSeen` is when the failure was announced, and no failure was seen. */
    readonly isAnnounced: boolean;
    /** Of a deployment: whether a comparison of releases shows that it caused the failure. */
    readonly isCompared: boolean;
    /** The host that it is about, where a request or job called it. */
    readonly host: string | null;
  };
  /** What wasn't well, as a connected third party reports it. */
  readonly problem: {
    readonly problem: Extract<OutsideFinding, { readonly kind: "problem" }>;
    /** Whether it is the end of this very process: the next link says what to do about that. */
    readonly isOwnExit: boolean;
  };
  readonly exit: { readonly exit: ExitFact };
  readonly "last-heartbeat": { readonly processes: readonly LastHeartbeatFact[] };
}
export type LinkKind = keyof LinkArgs;

/** One step of the causal chain, before it has words. */
export interface LinkOf<K extends LinkKind> {
  readonly kind: K;
  readonly args: LinkArgs[K];
  /** As the source names it. */
  readonly location: Location | null;
  readonly service: string | null;
  readonly release: string | null;
  /** RFC 3339. */
  readonly at: string | null;
  /** At least one piece. */
  readonly evidence: readonly Observation<AnyFact>[];
}
export type Link = { [K in LinkKind]: LinkOf<K> }[LinkKind];

/** Whether two links are about the same line of code. */
export function isSamePlace(left: Link, right: Link): boolean {
  return (
    left.location !== null && left.location.file === right.location?.file && left.location.line === right.location.line
  );
}

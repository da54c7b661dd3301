import type { Location } from "@whence/protocol";
import type { Observation } from "../findings/observation.ts";
import type { SeenInCode } from "../signals/code/code-kind.ts";
import type { AnyFact } from "../signals/fact.ts";
import type { ReleaseLink } from "../signals/facts/deploy.ts";
import type { ExitFact } from "../signals/facts/exit-fact.ts";
import type { FailingCalls } from "../signals/facts/failing-calls.ts";
import type { LastHeartbeatFact } from "../signals/facts/last-heartbeat.ts";
import type { ProcessState } from "../signals/facts/process-state.ts";
import type { RelatedFailure } from "../signals/facts/related-failure.ts";
import type { Alert } from "../signals/inputs/alert.ts";
import type { OutgoingCall } from "../signals/inputs/call.ts";
import type { ChangeEventLink } from "../signals/outside/change-event-link.ts";
import type { ProblemLink } from "../signals/outside/problem-link.ts";
import type { AnyCodeSignal } from "../signals/signal.ts";

/** The kinds of links of the causal chain, with their arguments. Paths of places are in the form shown to readers. */
export interface LinkArgs {
  /** A release of the failing service, or of one that it depends on. */
  readonly release: ReleaseLink;
  /** A response no longer has a field that the code reads. */
  readonly "changed-answer": { readonly service: string; readonly release: string; readonly field: string | null };
  readonly "related-failure": { readonly failure: RelatedFailure };
  readonly "failing-calls": { readonly calls: FailingCalls };
  readonly call: { readonly call: OutgoingCall };
  readonly process: { readonly state: ProcessState };
  readonly dependency: {
    readonly name: string;
    /** The system's code for the failure, such as `ECONNREFUSED`. */
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
  /** A call on the stack about which nothing else is known. */
  readonly frame: {
    readonly place: Location;
    readonly isInstalled: boolean;
    /** Off the stack, only the ranking points to the place. */
    readonly isOnStack: boolean;
  };
  /** The error as it was thrown. */
  readonly failure: {
    readonly type: string;
    readonly message: string;
    readonly place: Location | null;
    /** Whether it was thrown at the place itself, rather than in something that the place calls. */
    readonly isThrower: boolean;
    readonly request: string | null;
  };
  readonly alert: { readonly alert: Alert };
  /** A text without an error. */
  readonly text: { readonly headline: string };
  /** A change that a connected third party reports. */
  readonly "change-event": ChangeEventLink;
  /** A problem that a connected third party reports. */
  readonly problem: ProblemLink;
  readonly exit: { readonly exit: ExitFact };
  readonly "last-heartbeat": { readonly processes: readonly LastHeartbeatFact[] };
}
export type LinkKind = keyof LinkArgs;

/** One step of the causal chain, not yet in words. */
export interface LinkOf<K extends LinkKind> {
  readonly kind: K;
  readonly args: LinkArgs[K];
  /** With the path as the source names it. */
  readonly location: Location | null;
  readonly service: string | null;
  readonly release: string | null;
  /** RFC 3339. */
  readonly at: string | null;
  /** At least one piece. */
  readonly evidence: readonly Observation<AnyFact>[];
}
export type Link = { [K in LinkKind]: LinkOf<K> }[LinkKind];

/** Returns whether two links are about the same line of code. */
export function isSamePlace(left: Link, right: Link): boolean {
  return (
    left.location !== null && left.location.file === right.location?.file && left.location.line === right.location.line
  );
}

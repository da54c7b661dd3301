import type { Request, TelemetryEvent } from "@whence/protocol";
import { isFailure, type Level } from "@whence/protocol/level";
import type { Trail } from "./breadcrumbs.ts";
import type { Thrown } from "./cause-chain.ts";
import type { ScopeFacts } from "./fact-scope.ts";

/** How an event was captured, and whether the program handled it. */
export interface Mechanism {
  readonly type: string;
  readonly handled: boolean;
}

/** A queued event: everything that could change is copied, and expensive work is left for later. */
export interface WhenceEvent {
  readonly id: string;
  readonly type: TelemetryEvent["type"];
  /** Milliseconds since 1970. */
  readonly timestamp: number;
  readonly level: Level;
  readonly message: string;
  readonly mechanism: Mechanism;
  readonly thrown?: readonly Thrown[] | undefined;
  readonly trail?: Trail | undefined;
  readonly request?: Request | undefined;
  readonly trace?: TelemetryEvent["trace"] | undefined;
  readonly attributes?: Readonly<Record<string, unknown>> | undefined;
  /** The facts of its scopes, the weakest first. */
  readonly facts?: readonly ScopeFacts[] | undefined;
}

/** An event with its sequence number in this process. */
export interface NumberedEvent extends WhenceEvent {
  /** 1, 2, 3, … within the instance; a number that is never delivered is reported lost. */
  readonly seq: number;
}

/**
 * The event with its number. Each field by name: spreading one object into another takes a fifth of a capture's time.
 */
export function numberedEvent(event: WhenceEvent, seq: number): NumberedEvent {
  const { id, type, timestamp, level, message, mechanism, thrown, trail, request, trace, attributes, facts } = event;
  return { id, type, timestamp, level, message, mechanism, thrown, trail, request, trace, attributes, facts, seq };
}

/**
 * How much is lost with an event, from 0: nothing that failed, a failure that was logged, an error, one that ended the
 * process or could have. When there is no room, what is worth least goes first.
 */
export function worthOf(event: WhenceEvent): 0 | 1 | 2 | 3 {
  if (isFatal(event)) return 3;
  if (event.type === "exception") return 2;
  return isFailure(event.level) ? 1 : 0;
}

/** Whether an event ended the process, or could have: these are dropped last. */
export function isFatal({ mechanism }: WhenceEvent): boolean {
  return !mechanism.handled;
}

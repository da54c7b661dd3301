import { clockErrorMs, minuteMs } from "@whence/protocol";
import type { DeployFact, LaterBeginning } from "./facts/deploy-fact.ts";

/** How far a time may be off, in milliseconds. Times closer than that have no order. */
export const timeErrorMs = {
  /** Clocks of two machines, or of a vendor and a process. Those that keep time differ by less than a second. */
  clock: 10_000,
  /** When a process started: a clock's error, up to 5 seconds in which a heartbeat waits for its batch, and a rounded uptime. */
  start: 16_000,
  /** When something was first seen: a process runs before that, and a deploy is reported when it is done. */
  heard: clockErrorMs,
} as const;

/** A moment in milliseconds since 1970, and how far it may be off. */
export interface Moment {
  readonly at: number;
  readonly errorMs: number;
}

/** Whether something came after what it would have to explain, by more than both times may be off: then it isn't the cause. */
export function comesAfter(cause: Moment, effect: Moment): boolean {
  return cause.at - effect.at > cause.errorMs + effect.errorMs;
}

/** When a release began, as far as that is known. */
export function releaseMoment({ at, isStartKnown }: Pick<DeployFact, "at" | "isStartKnown">): Moment {
  return { at: Date.parse(at), errorMs: isStartKnown === true ? timeErrorMs.start : timeErrorMs.heard };
}

/** When a failure began; a rise is known to the minute. Its clock's error counts with the cause. */
export function failureMoment({
  firstSeen,
  began,
}: {
  readonly firstSeen: string;
  readonly began?: LaterBeginning;
}): Moment {
  return { at: Date.parse(firstSeen), errorMs: began === "rose" ? minuteMs : 0 };
}

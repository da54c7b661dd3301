import { clockErrorMs, minuteMs } from "@whence/protocol";
import type { DeployFact, LaterBeginning } from "./facts/deploy-fact.ts";

/** How inexact a time may be, in milliseconds. Times closer than that have no order. */
export const timeErrorMs = {
  /** Clocks of two machines, or of a vendor and a process. Synchronized clocks differ by less than a second. */
  clock: 10_000,
  /**
   * The start of a process: the clock's error, up to 5 seconds in which a heartbeat waits for its batch, and a rounded
   * uptime.
   */
  start: 16_000,
  /** The first sight of something: a process runs before it is seen, and a deploy is reported after it is done. */
  heard: clockErrorMs,
} as const;

/** A moment in milliseconds since 1970, and how inexact it may be. */
export interface Moment {
  readonly at: number;
  readonly errorMs: number;
}

/**
 * Returns whether a supposed cause came after its effect, by more than the errors of both times: then it isn't the
 * cause.
 */
export function comesAfter(cause: Moment, effect: Moment): boolean {
  return cause.at - effect.at > cause.errorMs + effect.errorMs;
}

/** Returns when a release began, as far as is known. */
export function releaseMoment({ at, isStartKnown }: Pick<DeployFact, "at" | "isStartKnown">): Moment {
  return { at: Date.parse(at), errorMs: isStartKnown === true ? timeErrorMs.start : timeErrorMs.heard };
}

/** Returns when a failure began; a rise is known to the minute. The clock's error is counted for the cause. */
export function failureMoment({
  firstSeen,
  began,
}: {
  readonly firstSeen: string;
  readonly began?: LaterBeginning;
}): Moment {
  return { at: Date.parse(firstSeen), errorMs: began === "rose" ? minuteMs : 0 };
}

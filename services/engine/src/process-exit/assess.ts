import {
  type ExitedProcess,
  isCrashLoop,
  type ProcessExit,
  type ProcessExitKind,
  type VitalReading,
} from "@whence/protocol";
import type { ExitReason } from "../signals/facts/exit-reason.ts";
import { climbRules, climbs, memoryReadings } from "./memory-climb.ts";

/** A way in which one process may have ended. */
export type ExitKind = Extract<ProcessExitKind, "out-of-memory" | "killed" | "hung">;

/** How memory changed from the first reading to the last. */
type MemoryCourse = Omit<Extract<ExitReason, { readonly kind: "memory-course" }>, "kind">;

/** One way in which a process may have ended, and the readings that show it. */
export interface PossibleExit {
  readonly kind: ExitKind;
  /** From 0 to 1. The three don't add up to 1: the rest is what heartbeats can't show. */
  readonly likelihood: number;
  /** The reasons for it and against it. */
  readonly reasons: readonly ExitReason[];
}

/** Share of the heap's limit from which V8 spends its time on garbage collection; it aborts at the limit. */
const heapFull = 0.85;
const heapFilling = 0.7;
/** Below this share, a heap that grew has only warmed up. */
const heapHalf = 0.5;
/** Share of the container's memory limit; the kernel kills at 1. */
const containerFull = 0.85;
const courseReadingsMin = 2;
/** The growth that counts as a climb when the limit is unknown. */
const climbWithoutLimit = 2;
/** The 99th percentile of the event loop delay: a second means one long task, not work spread over ticks. */
const loopStallingMs = 1_000;

/** Likelihoods by what was read. Set by judgment, because exits with a known cause are too few to fit them. */
export const likelihoods = { stated: 0.95, strong: 0.8, medium: 0.6, weak: 0.4, slight: 0.2, none: 0.05 } as const;

/** Returns the three exits that heartbeats can distinguish, the most likely first. */
export function assessExit(process: Pick<ExitedProcess, "readings">): readonly PossibleExit[] {
  const { readings } = process;
  const hung = assessHung(readings);
  const memory = assessMemory(readings);
  const killed = assessKilled(readings, memory, hung);
  return [memory, hung, killed].toSorted((left, right) => right.likelihood - left.likelihood);
}

const unknownExit: PossibleExit = { kind: "killed", likelihood: 0.2, reasons: [] };

/** Returns the most likely of them; *killed* for a process without readings. */
export function mostLikelyExit(process: Pick<ExitedProcess, "readings"> | undefined): PossibleExit {
  return (process && assessExit(process)[0]) ?? unknownExit;
}

/** From this likelihood on, memory or the event loop certainly had a problem. */
const explainsFrom = 0.6;

/** Returns whether the readings alone show why the process ended. */
export function explains({ kind, likelihood }: PossibleExit): boolean {
  return kind !== "killed" && likelihood >= explainsFrom;
}

/**
 * Returns the newest round of a loop whose readings show why it ended, or else the newest. The loop must have a round.
 */
export function mostTelling<Round extends Pick<ExitedProcess, "readings">>(
  rounds: readonly Round[],
): Round | undefined {
  return rounds.findLast((round) => explains(mostLikelyExit(round))) ?? rounds.at(-1);
}

/**
 * Returns the process of an exit that says the most about why it ended: the most telling round of a crash loop, or else
 * the first process to stop.
 */
export function tellingProcess(exit: ProcessExit): ExitedProcess | undefined {
  return isCrashLoop(exit) ? mostTelling(exit.processes) : exit.processes[0];
}

function assessHung(readings: readonly VitalReading[]): PossibleExit {
  const last = readings.at(-1);
  const kind = "hung";
  const blocked = readings.findLast(({ mainThreadBlockedMs: ms }) => ms !== null);
  if (blocked && blocked.mainThreadBlockedMs !== null) {
    const reason = { kind: "main-thread-blocked", at: blocked.at, blockedMs: blocked.mainThreadBlockedMs } as const;
    // A main thread that was blocked and then reported again may have been blocked once more.
    return { kind, likelihood: blocked === last ? likelihoods.stated : likelihoods.weak, reasons: [reason] };
  }
  const delayMs = last?.eventLoopDelayMs ?? null;
  if (!last || delayMs === null)
    return { kind, likelihood: likelihoods.slight, reasons: [{ kind: "no-loop-readings" }] };
  const isLate = delayMs >= loopStallingMs;
  const reasons = [{ kind: "loop-delay", at: last.at, delayMs, isLate }] as const;
  return { kind, likelihood: isLate ? likelihoods.weak : likelihoods.none, reasons };
}

function assessMemory(readings: readonly VitalReading[]): PossibleExit {
  const last = readings.at(-1);
  const kind = "out-of-memory";
  const noReadings: readonly ExitReason[] = [{ kind: "no-memory-readings" }];
  if (!last) return { kind, likelihood: likelihoods.slight, reasons: noReadings };
  const heap = shareOf("heap-share", last.at, last.heapUsedBytes, last.heapLimitBytes);
  const container = shareOf("container-share", last.at, last.rssBytes, last.memoryLimitBytes);
  const course = memoryCourse(readings);
  const reasons: readonly ExitReason[] = [
    ...(heap ? [heap] : []),
    ...(container ? [container] : []),
    ...(course ? [{ kind: "memory-course" as const, ...course }] : []),
  ];
  const share = heap ? heap.usedBytes / heap.limitBytes : 0;
  const ofContainer = container ? container.usedBytes / container.limitBytes : 0;
  const factor = course ? course.toBytes / Math.max(course.fromBytes, 1) : 0;
  const isClimbing = course?.isClimb === true;
  const reaches = (least: number): boolean => Math.max(share, ofContainer) >= least;
  if (share >= heapFull || ofContainer >= containerFull) return { kind, likelihood: likelihoods.strong, reasons };
  if (isClimbing && reaches(heapFilling)) return { kind, likelihood: likelihoods.medium, reasons };
  const hasNoLimit = !heap && !container;
  if ((isClimbing && reaches(heapHalf)) || (hasNoLimit && factor >= climbWithoutLimit)) {
    return { kind, likelihood: likelihoods.weak, reasons };
  }
  return { kind, likelihood: likelihoods.none, reasons: reasons.length > 0 ? reasons : noReadings };
}

function assessKilled(readings: readonly VitalReading[], memory: PossibleExit, hung: PossibleExit): PossibleExit {
  const kind = "killed";
  if (readings.length === 0) return { kind, likelihood: likelihoods.weak, reasons: [{ kind: "no-readings" }] };
  const other = Math.max(memory.likelihood, hung.likelihood);
  if (other >= likelihoods.medium) return { kind, likelihood: likelihoods.slight, reasons: [{ kind: "any-state" }] };
  if (other >= likelihoods.weak) return { kind, likelihood: likelihoods.weak, reasons: [{ kind: "any-state" }] };
  return { kind, likelihood: likelihoods.medium, reasons: [{ kind: "healthy" }] };
}

/** Returns how memory changed over the readings. */
function memoryCourse(readings: readonly VitalReading[]): MemoryCourse | null {
  const memory = memoryReadings(readings, courseReadingsMin);
  const [first, last] = [memory?.readings[0], memory?.readings.at(-1)];
  if (!memory || !first || !last) return null;
  const course = { firstBytes: Math.max(first.bytes, 1), lastBytes: last.bytes, beats: memory.readings.length, fit: 1 };
  const isClimb = climbs(course, climbRules.exit);
  return { of: memory.of, since: first.at, until: last.at, fromBytes: first.bytes, toBytes: last.bytes, isClimb };
}

function shareOf(
  kind: "heap-share" | "container-share",
  at: string,
  usedBytes: number | null,
  limitBytes: number | null,
) {
  return usedBytes === null || limitBytes === null || limitBytes <= 0 ? null : { kind, at, usedBytes, limitBytes };
}

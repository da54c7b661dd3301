import { limits, minuteMs } from "@whence/protocol";
import type { ProcessLife } from "@whence/storage";
import { type ExitTimes, firstSeen, lastSeen } from "./missing-heartbeats.ts";

/**
 * A crash loop has three rounds within a quarter of an hour, whatever restarts the process: Kubernetes waits at most 5
 * minutes.
 */
const loopMs = 15 * minuteMs;
/** Fewer may be a coincidence, or someone trying something out. */
export const roundsMin = 3;

/** Returns whether a process was so short-lived that it may be a job that finished. */
export function isShortLived(life: ProcessLife, { spreadMs }: ExitTimes): boolean {
  return lastSeen(life) - firstSeen(life) < spreadMs;
}

/**
 * Returns the short-lived processes that led up to this one, each started after the last telemetry of the one before;
 * this one comes last. They count on the same host, where a supervisor restarts them, or on any host if the service is
 * known to live longer: jobs each have a host of their own, and never live longer. Processes that first reported within
 * one batch interval started together.
 */
export function roundsUpTo(last: ProcessLife, lives: readonly ProcessLife[], times: ExitTimes): ProcessLife[] {
  const ofService = lives.filter(({ service }) => service === last.service);
  const livesLonger = ofService.some((life) => !isShortLived(life, times));
  const before = ofService
    .filter((life) => isShortLived(life, times) && (livesLonger || life.host === last.host))
    .filter((life) => firstSeen(life) >= lastSeen(last) - loopMs)
    .toSorted((left, right) => firstSeen(right) - firstSeen(left));
  const rounds = [last];
  let next = last;
  for (const life of before) {
    const isEarlier = firstSeen(life) <= firstSeen(next) - limits.flushIntervalMs;
    if (!isEarlier || lastSeen(life) >= firstSeen(next)) continue;
    rounds.push(life);
    next = life;
  }
  return rounds.toReversed();
}

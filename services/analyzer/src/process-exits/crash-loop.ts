import { limits } from "@whence/protocol";
import type { ProcessLife } from "@whence/storage";
import { firstHeard, lastHeard, type SilenceTimes } from "./missing-heartbeats.ts";

/** Within a quarter of an hour a loop comes round three times, whatever starts it again: Kubernetes waits 5 minutes at most. */
const loopMs = 15 * 60_000;
/** Fewer are bad luck, or somebody who tries something. */
export const roundsMin = 3;

/** Whether a process lived so shortly that it may be a job that was done. */
export function isShortLived(life: ProcessLife, { spreadMs }: SilenceTimes): boolean {
  return lastHeard(life) - firstHeard(life) < spreadMs;
}

/**
 * The short lives that led up to this one, each of which started after the one before had been heard last; this one
 * comes last. On one machine, since that is where a loop comes round; on any, where the service is known to live longer:
 * jobs have a machine of their own each, and never do. Those first heard within one delivery started together.
 */
export function roundsUpTo(last: ProcessLife, lives: readonly ProcessLife[], times: SilenceTimes): ProcessLife[] {
  const ofService = lives.filter(({ service }) => service === last.service);
  const livesLonger = ofService.some((life) => !isShortLived(life, times));
  const before = ofService
    .filter((life) => isShortLived(life, times) && (livesLonger || life.host === last.host))
    .filter((life) => firstHeard(life) >= lastHeard(last) - loopMs)
    .toSorted((left, right) => firstHeard(right) - firstHeard(left));
  const rounds = [last];
  let next = last;
  for (const life of before) {
    const isEarlier = firstHeard(life) <= firstHeard(next) - limits.flushIntervalMs;
    if (!isEarlier || lastHeard(life) >= firstHeard(next)) continue;
    rounds.push(life);
    next = life;
  }
  return rounds.toReversed();
}

import { climbRules, climbs } from "@whence/engine";
import type { CpuVitals, InstanceVitals, MemoryVitals, PoolReading } from "@whence/storage";

/** This close to its limit, a heap is being collected all the time. */
const fullShare = 0.85;
/** An event loop delay from here on is reported, */
const lateMs = 200;
/** unless it is usual: then it must be this many times its median. */
const lateFactor = 3;
/** A delay that affects every request. */
const stalledMs = 2_000;

/** From this share on, a process waits for its processors, */
const busyShare = 0.9;
/** and more so if it usually uses less than this. */
const usualShare = 0.6;

/** Memory that climbs or is full, and how severe that is, from 0 to 1. */
export interface MemorySign {
  readonly climbs: boolean;
  readonly severity: number;
}

/** Judges the memory of a process; null when it is healthy, or not reported. */
export function memorySign(memory: MemoryVitals | null): MemorySign | null {
  if (!memory) return null;
  const { beats, lastBytes, limitBytes } = memory;
  const isFull = limitBytes !== null && lastBytes >= fullShare * limitBytes;
  const isClimb = climbs(memory, climbRules.evidence);
  if (!isClimb && !isFull) return null;
  return { climbs: isClimb, severity: isFull ? 1 : isClimb && beats >= 3 ? 0.6 : 0.3 };
}

/** Judges the event loop: how severe its delay is, from 0 to 1; null when it is healthy. */
export function eventLoopSeverity({ loopDelayMax, loopDelayMedian, loopDelayLast }: InstanceVitals): number | null {
  const isLate = loopDelayLast >= lateMs || (loopDelayMax >= lateMs && loopDelayMax >= lateFactor * loopDelayMedian);
  if (!isLate) return null;
  return loopDelayMax >= stalledMs ? 0.9 : 0.4;
}

/** Judges the use of processors: how severe it is, from 0 to 1; null when some are free, or it isn't reported. */
export function cpuSeverity(cpu: CpuVitals | null): number | null {
  if (!cpu || cpu.last < busyShare) return null;
  return cpu.median < usualShare ? 0.6 : 0.3;
}

/** Judges a pool of connections: how severe it is, from 0 to 1; null when it has free ones and nothing waits. */
export function poolSeverity(pool: PoolReading | null): number | null {
  if (!pool) return null;
  const isFull = pool.max > 0 && pool.used >= pool.max;
  if (isFull && pool.waiting > 0) return 0.9;
  return isFull || pool.waiting > 0 ? 0.4 : null;
}

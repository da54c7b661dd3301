import type { InstanceVitals } from "@whence/storage";

/** Memory that grew so much is told; below it is the ordinary saw-tooth of a collected heap. */
const growthFactor = 1.5;
/** From three heartbeats on it must climb rather than jump: the correlation with time. */
const climbFit = 0.7;
/** So near its limit a heap is collected all the time. */
const fullShare = 0.85;
/** An event loop that late is told, */
const lateMs = 200;
/** unless it always is: then it must be so many times its median. */
const lateFactor = 3;
/** So late, everything that waits for an answer notices. */
const stalledMs = 2_000;
const minuteSeconds = 60;

/** Something about a process in words, and how much it explains, 0 to 1. */
export interface VitalSign {
  readonly text: string;
  readonly severity: number;
}

/** Memory that climbs, or has reached its limit. */
export function sayMemory(vitals: InstanceVitals): VitalSign | null {
  const { beats, heapFirst, heapLast, heapLimit, heapSlope, heapFit, firstAt } = vitals;
  if (heapFirst === 0) return null;
  const factor = heapLast / heapFirst;
  const isFull = heapLimit > 0 && heapLast >= fullShare * heapLimit;
  const climbs = factor >= growthFactor && (beats < 3 || heapFit >= climbFit);
  if (!climbs && !isFull) return null;
  const share = heapLimit > 0 ? `, to ${((100 * heapLast) / heapLimit).toFixed(0)} % of its limit` : "";
  const left = climbs && !isFull ? timeLeft(heapLimit - heapLast, heapSlope) : "";
  const text = climbs
    ? `memory grew by a factor of ${factor.toFixed(1)} since ${firstAt}${share}${left}`
    : `memory was at ${((100 * heapLast) / heapLimit).toFixed(0)} % of its limit`;
  return { text, severity: isFull ? 1 : climbs && beats >= 3 ? 0.6 : 0.3 };
}

/** An event loop that stood still, so that nothing was answered meanwhile. */
export function sayEventLoop({ loopDelayMax, loopDelayMedian, loopDelayLast }: InstanceVitals): VitalSign | null {
  const isLate = loopDelayLast >= lateMs || (loopDelayMax >= lateMs && loopDelayMax >= lateFactor * loopDelayMedian);
  if (!isLate) return null;
  const text = `the event loop was blocked for ${Math.round(loopDelayMax)} ms`;
  return { text, severity: loopDelayMax >= stalledMs ? 0.9 : 0.4 };
}

function timeLeft(bytes: number, bytesPerSecond: number): string {
  if (bytes <= 0 || bytesPerSecond <= 0) return "";
  const minutes = bytes / bytesPerSecond / minuteSeconds;
  return minutes < 24 * 60 ? `, full in ${Math.max(1, Math.round(minutes))} min at that rate` : "";
}

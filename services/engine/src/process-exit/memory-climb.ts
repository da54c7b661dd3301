import { minuteMs, type VitalReading } from "@whence/protocol";

/** How the memory of a process changed from its first heartbeat to its last. */
interface MemoryCourse {
  readonly firstBytes: number;
  readonly lastBytes: number;
  readonly beats: number;
  /** How close to a line it climbs: the correlation with time. */
  readonly fit: number;
}

/** The minimum for a climb: memory at the last heartbeat relative to the first, and how close to a line. */
interface ClimbRule {
  readonly growth: number;
  readonly fit: number;
}

/** What counts as a climb, by the conclusion drawn from it. Less is the ordinary sawtooth of garbage collection. */
export const climbRules = {
  /** Evidence against a process that still runs: it must climb rather than jump. */
  evidence: { growth: 1.5, fit: 0.7 },
  /** Evidence of how a process ended: a jump counts, because it may have been the last. */
  exit: { growth: 1.3, fit: 0 },
  /** The confirmation of a prediction, from many heartbeats. */
  prediction: { growth: 1.2, fit: 0.8 },
} as const satisfies Record<string, ClimbRule>;

/** Fewer heartbeats are always on a line. */
const fitBeatsMin = 3;

/** Returns whether memory climbs, by a rule. */
export function climbs({ firstBytes, lastBytes, beats, fit }: MemoryCourse, rule: ClimbRule): boolean {
  return firstBytes > 0 && lastBytes >= rule.growth * firstBytes && (beats < fitBeatsMin || fit >= rule.fit);
}

/** The memory of a process according to its heartbeats: of the heap or, if only that is known, of the whole process. */
interface MemoryReadings {
  readonly of: "heap" | "process";
  readonly readings: readonly { readonly at: string; readonly bytes: number }[];
}

/** Returns the memory that at least `readingsMin` heartbeats report; null when too few do. */
export function memoryReadings(readings: readonly VitalReading[], readingsMin: number): MemoryReadings | null {
  const ofHeap = readings.flatMap(({ at, heapUsedBytes: bytes }) => (bytes === null ? [] : [{ at, bytes }]));
  if (ofHeap.length >= readingsMin) return { of: "heap", readings: ofHeap };
  const ofProcess = readings.flatMap(({ at, rssBytes: bytes }) => (bytes === null ? [] : [{ at, bytes }]));
  return ofProcess.length >= readingsMin ? { of: "process", readings: ofProcess } : null;
}

/** How memory climbed before a process exit. */
export interface MemoryClimb {
  /** More than 0, by least squares. */
  readonly bytesPerMinute: number;
  /** Heartbeats it was read from. */
  readonly beats: number;
}

const slopeReadingsMin = 3;
/** Minimum growth over all readings, as a share of the first. */
const slopeGrowthMin = 0.1;

/** Returns how steeply memory climbed; null when it grew by less than a tenth, or too few heartbeats report it. */
export function memoryClimb(readings: readonly VitalReading[]): MemoryClimb | null {
  const memory = memoryReadings(readings, slopeReadingsMin);
  const points = (memory?.readings ?? []).map(({ at, bytes }) => ({ minute: Date.parse(at) / minuteMs, bytes }));
  const [first, last] = [points[0], points.at(-1)];
  if (!first || !last) return null;
  const bytesPerMinute = slopeOf(points);
  const grown = bytesPerMinute * (last.minute - first.minute);
  return grown >= slopeGrowthMin * first.bytes ? { bytesPerMinute, beats: points.length } : null;
}

function slopeOf(points: readonly { readonly minute: number; readonly bytes: number }[]): number {
  const mean = (values: readonly number[]): number => values.reduce((sum, value) => sum + value, 0) / values.length;
  const minute = mean(points.map((point) => point.minute));
  const bytes = mean(points.map((point) => point.bytes));
  const spread = points.reduce((sum, point) => sum + (point.minute - minute) ** 2, 0);
  if (spread === 0) return 0;
  return points.reduce((sum, point) => sum + (point.minute - minute) * (point.bytes - bytes), 0) / spread;
}

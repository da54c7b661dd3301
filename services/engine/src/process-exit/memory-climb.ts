import { minuteMs, type VitalReading } from "@whence/protocol";

const readingsMin = 3;
/** Over all that was read, beside the first reading: below it is the ordinary saw-tooth. */
const growthMin = 0.1;

/** How memory climbed before a process exit. */
export interface MemoryClimb {
  /** More than 0, by least squares. */
  readonly bytesPerMinute: number;
  /** Heartbeats it was read from. */
  readonly beats: number;
}

/** Of the heap, or of the whole process where that is all there is; null when it did not climb by a tenth, or too few say. */
export function memoryClimb(readings: readonly VitalReading[]): MemoryClimb | null {
  for (const column of ["heapUsedBytes", "rssBytes"] as const) {
    const points = readings.flatMap((reading) => {
      const bytes = reading[column];
      return bytes === null ? [] : [{ minute: Date.parse(reading.at) / minuteMs, bytes }];
    });
    if (points.length < readingsMin) continue;
    const bytesPerMinute = slopeOf(points);
    const [first, last] = [points[0], points.at(-1)];
    if (!first || !last) return null;
    const grown = bytesPerMinute * (last.minute - first.minute);
    return grown >= growthMin * first.bytes ? { bytesPerMinute, beats: points.length } : null;
  }
  return null;
}

function slopeOf(points: readonly { readonly minute: number; readonly bytes: number }[]): number {
  const mean = (values: readonly number[]): number => values.reduce((sum, value) => sum + value, 0) / values.length;
  const minute = mean(points.map((point) => point.minute));
  const bytes = mean(points.map((point) => point.bytes));
  const spread = points.reduce((sum, point) => sum + (point.minute - minute) ** 2, 0);
  if (spread === 0) return 0;
  return points.reduce((sum, point) => sum + (point.minute - minute) * (point.bytes - bytes), 0) / spread;
}

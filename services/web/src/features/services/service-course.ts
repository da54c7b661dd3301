import { minuteMs, type ServiceDetail, secondMs } from "@whence/protocol";
import { shareOf } from "./error-rate.ts";

type Step = ServiceDetail["course"][number];
type Course = Pick<ServiceDetail, "from" | "to" | "step_seconds" | "course">;

/** A figure of a service over time, one value for each step. */
export interface Series {
  /** In milliseconds. */
  readonly times: readonly number[];
  /** Null where there is none. */
  readonly values: readonly (number | null)[];
}

/** What the page has charts of. */
export interface ServiceSeries {
  readonly failures: Series;
  /** Null when requests aren't counted. */
  readonly requests: Series | null;
  /** The failed requests among them, in percent. */
  readonly failedPercent: Series | null;
  /** Null when no heartbeat reports it. */
  readonly memory: Series | null;
  readonly loopDelay: Series | null;
}

/** Returns the series of a service, each with every step of the span, the current one included. */
export function serviceSeries({ from, to, step_seconds, course }: Course): ServiceSeries {
  const stepMs = step_seconds * secondMs;
  const [begin, end] = [Date.parse(from), Date.parse(to)];
  const count = Math.max(0, Math.round((end - begin) / stepMs));
  const times = Array.from({ length: count }, (_, index) => begin + index * stepMs);
  const known = new Map(course.map((step) => [Date.parse(step.at), step]));
  const series = (read: (step: Step) => number | null, without: number | null): Series => ({
    times,
    values: times.map((time) => {
      const step = known.get(time);
      return step ? read(step) : without;
    }),
  });
  const ifKnown = (read: (step: Step) => number | null): Series | null =>
    course.some((step) => (read(step) ?? 0) > 0) ? series(read, null) : null;
  const areCounted = course.some(({ requests }) => requests !== null);
  return {
    failures: series(({ failures }) => failures, 0),
    requests: areCounted ? series(({ requests }) => requests, 0) : null,
    failedPercent: areCounted ? series(percentFailed, null) : null,
    memory: ifKnown(({ memory_bytes }) => memory_bytes),
    loopDelay: ifKnown(({ event_loop_delay_ms }) => event_loop_delay_ms),
  };
}

const percent = 100;

function percentFailed({ requests, failed_requests: failed }: Step): number | null {
  return requests ? percent * shareOf({ requests, failed: failed ?? 0 }) : null;
}

/** Returns `minute`, `10 minutes`, or `4 hours`. */
export function stepText(stepSeconds: number): string {
  const minutes = (stepSeconds * secondMs) / minuteMs;
  const [count, unit] = minutes < minutesPerHour ? [minutes, "minute"] : [minutes / minutesPerHour, "hour"];
  return count === 1 ? unit : `${count} ${unit}s`;
}

const minutesPerHour = 60;

/** Returns what a chart of counts shows, in words. */
export function sayCounts(what: string, { times, values }: Series, timeOf: (at: number) => string): string {
  const total = values.reduce<number>((sum, value) => sum + (value ?? 0), 0);
  const { most, at } = highest({ times, values });
  if (total === 0) return `No ${what}`;
  return `${total.toLocaleString()} ${what}, most from ${timeOf(at)}: ${most.toLocaleString()}`;
}

/** Returns what a chart of a measured figure shows, in words. */
export function sayMeasured(series: Series, nameOf: (value: number) => string, timeOf: (at: number) => string): string {
  const last = series.values.findLast((value) => value !== null) ?? 0;
  const { most, at } = highest(series);
  return `${nameOf(last)} at the end, at most ${nameOf(most)} from ${timeOf(at)}`;
}

/** Returns the highest value of a series, and the time of its step. */
export function highest({ times, values }: Series): { readonly most: number; readonly at: number } {
  const most = values.reduce<number>((known, value) => Math.max(known, value ?? 0), 0);
  return { most, at: times[values.indexOf(most)] ?? times[0] ?? 0 };
}

const units = ["B", "KB", "MB", "GB", "TB"] as const;
const unitStep = 1_000;

/** Returns memory as people say it: `412 MB`, `1.6 GB`. */
export function memoryText(bytes: number): string {
  const power = bytes < 1 ? 0 : Math.min(units.length - 1, Math.floor(Math.log(bytes) / Math.log(unitStep)));
  const size = bytes / unitStep ** power;
  return `${size.toLocaleString(undefined, { maximumFractionDigits: size < 10 && power > 2 ? 1 : 0 })} ${units[power]}`;
}

/** Returns `12 ms` or `1.4 s`. */
export function delayText(ms: number): string {
  if (ms >= secondMs) return `${(ms / secondMs).toLocaleString(undefined, { maximumFractionDigits: 1 })} s`;
  return `${ms.toLocaleString(undefined, { maximumFractionDigits: ms < 10 ? 1 : 0 })} ms`;
}

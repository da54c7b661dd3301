import { minuteMs, secondMs } from "@whence/protocol";
import { shortSpan } from "../../lib/times.ts";
import type { TimelineCenter } from "./timeline-center.ts";
import { type Happening, lanes } from "./timeline-entries.ts";

/** The spans that the axis can show, around its center. */
export const axisWindows = [
  { name: "20 s", ms: 20 * secondMs },
  { name: "10 min", ms: 10 * minuteMs },
  { name: "2 h", ms: 120 * minuteMs },
] as const;

/** Returns the axis's initial span: longer around a heartbeat, because heartbeats are a minute apart. */
export function usualWindowMs({ name }: TimelineCenter): number {
  return axisWindows[name === "error" ? 0 : 1].ms;
}

/** Returns what happened within the axis. */
export function entriesWithin(
  entries: readonly Happening[],
  { at: center }: TimelineCenter,
  windowMs: number,
): Happening[] {
  return entries.filter(({ at }) => Math.abs(Date.parse(at) - center) <= windowMs / 2);
}

/** Returns the rows of the axis that have entries, from top to bottom. */
export function usedLanes(entries: readonly Happening[]): Happening["kind"][] {
  return lanes.filter((lane) => entries.some(({ kind }) => kind === lane));
}

/** Returns the position of a time on the axis, in percent of its width from the left. */
export function axisPosition(at: number, { at: center }: TimelineCenter, windowMs: number): number {
  return (100 * (at - center + windowMs / 2)) / windowMs;
}

/** Returns a distance from the center: `−5 s`, `+1 min`. */
export function distanceText(ms: number): string {
  return `${ms < 0 ? "−" : "+"}${shortSpan(Math.abs(ms))}`;
}

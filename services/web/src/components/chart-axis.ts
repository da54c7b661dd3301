import { dayMs, hourMs, minuteMs } from "@whence/protocol";

const valueTicksMax = 4;
const timeTicksMax = 6;
const timeSteps = [
  ...[1, 2, 5, 10, 15, 30].map((minutes) => minutes * minuteMs),
  ...[1, 2, 3, 6, 12].map((hours) => hours * hourMs),
  ...[1, 2, 7, 14].map((days) => days * dayMs),
];

/** Returns round values from 0 to at most `top`, for a scale; `areWhole` for what is counted. */
export function valueTicks(top: number, areWhole: boolean): number[] {
  const rough = top / valueTicksMax;
  const power = 10 ** Math.floor(Math.log10(rough));
  const round = [1, 2, 5, 10].map((factor) => factor * power).find((step) => step >= rough) ?? rough;
  const step = areWhole ? Math.max(1, round) : round;
  return Array.from({ length: Math.floor(top / step) + 1 }, (_, index) => index * step);
}

/** Returns round times between two, in milliseconds, as the clock shows them at `offsetMs` from UTC; a few at most. */
export function timeTicks(from: number, to: number, offsetMs: number): number[] {
  const step = timeSteps.find((one) => (to - from) / one <= timeTicksMax) ?? to - from;
  const first = Math.ceil((from + offsetMs) / step) * step - offsetMs;
  return Array.from({ length: Math.floor((to - first) / step) + 1 }, (_, index) => first + index * step);
}

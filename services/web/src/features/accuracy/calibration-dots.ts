import type { Accuracy } from "@whence/protocol";
import { judgedCount, percent } from "./judged.ts";

/** A dot of the calibration chart, for all judged reports in one band of confidence. */
export interface CalibrationDot {
  /** The lower end of the band, from 0 to 1. */
  readonly from: number;
  /** The average confidence of its reports, from 0 to 1. */
  readonly confidence: number;
  /** The share of its judged reports that were right, from 0 to 1. */
  readonly right: number;
  /** From 0 to 1, with areas proportional to the numbers of judged reports: 1 for the band with the most. */
  readonly size: number;
}

/** Returns the dots of the bands that have judged reports. */
export function calibrationDots(bands: Accuracy["bands"]): CalibrationDot[] {
  const most = Math.max(1, ...bands.map(judgedCount));
  return bands.flatMap((band) => {
    const { from, confidence, right } = band;
    if (confidence === null || right === null) return [];
    return [{ from, confidence, right, size: Math.sqrt(judgedCount(band) / most) }];
  });
}

/** Returns what the chart shows, in words. */
export function sayCalibration(dots: readonly CalibrationDot[]): string {
  const said = dots.map(({ confidence, right }) => `${percent(right)} right at ${percent(confidence)} confidence`);
  return `Share of reports that were right, by confidence: ${said.join("; ")}`;
}

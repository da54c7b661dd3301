import type { Accuracy } from "@whence/protocol";
import type { JSX } from "react";
import { calibrationDots, sayCalibration } from "../calibration-dots.ts";
import styles from "./calibration-chart.module.css";

const sidePx = 220;
const marginPx = 34;
/** Room for a dot on the top line. */
const topPx = 16;
const radiusPx = { least: 4, most: 12 };
const ticks = [0, 0.25, 0.5, 0.75, 1] as const;

/** A dot for each band: the confidence of its reports against the share that was right. On the line both are equal. */
export function CalibrationChart({ bands }: Pick<Accuracy, "bands">): JSX.Element {
  const dots = calibrationDots(bands);
  const across = (share: number): number => marginPx + share * sidePx;
  const up = (share: number): number => topPx + (1 - share) * sidePx;
  return (
    <svg
      role="img"
      aria-label={sayCalibration(dots)}
      viewBox={`0 0 ${sidePx + marginPx + 16} ${topPx + sidePx + 40}`}
      className={styles.chart}
    >
      {ticks.map((tick) => (
        <g key={tick}>
          <line className={styles.grid} x1={across(tick)} x2={across(tick)} y1={up(0)} y2={up(1)} />
          <line className={styles.grid} x1={across(0)} x2={across(1)} y1={up(tick)} y2={up(tick)} />
          <text className={styles.tick} x={across(tick)} y={up(0) + 15} textAnchor="middle">
            {Math.round(tick * 100)}
          </text>
          <text className={styles.tick} x={across(0) - 6} y={up(tick) + 4} textAnchor="end">
            {Math.round(tick * 100)}
          </text>
        </g>
      ))}
      <line className={styles.ideal} x1={across(0)} x2={across(1)} y1={up(0)} y2={up(1)} />
      {dots.map(({ from, confidence, right, size }) => (
        <circle
          key={from}
          className={styles.dot}
          cx={across(confidence)}
          cy={up(right)}
          r={radiusPx.least + size * (radiusPx.most - radiusPx.least)}
        />
      ))}
      <text className={styles.axis} x={across(0.5)} y={up(0) + 34} textAnchor="middle">
        Confidence, in %
      </text>
      <text className={styles.axis} x={across(0) + 6} y={up(1) + 13}>
        Right, in %
      </text>
    </svg>
  );
}

import type { JSX } from "react";
import { sparkBars } from "../spark-bars.ts";
import styles from "./hours-spark.module.css";

const barPx = 4;
const gapPx = 1;
const heightPx = 26;

interface Props {
  /** What it shows, in words. */
  readonly label: string;
  /** One bar per hour, relative to the largest. */
  readonly bars: readonly { readonly at: number; readonly value: number }[];
}

/** A bar chart of hours. */
export function HoursSpark({ label, bars }: Props): JSX.Element {
  const width = bars.length * (barPx + gapPx) - gapPx;
  return (
    <svg
      role="img"
      aria-label={label}
      viewBox={`0 0 ${width} ${heightPx}`}
      width={width}
      height={heightPx}
      className={styles.spark}
    >
      <title>{label}</title>
      {sparkBars(bars, heightPx).map(({ at, height, isEmpty }, index) => (
        <rect
          key={at}
          className={isEmpty ? styles.none : styles.some}
          x={index * (barPx + gapPx)}
          y={heightPx - height}
          width={barPx}
          height={height}
        />
      ))}
    </svg>
  );
}

import type { JSX } from "react";
import styles from "./hours-spark.module.css";
import { sparkBars } from "./spark-bars.ts";

const sizes = { usual: { barPx: 4, gapPx: 1, heightPx: 26 }, small: { barPx: 2, gapPx: 0, heightPx: 20 } } as const;

interface Props {
  /** What it shows, in words. */
  readonly label: string;
  /** One bar per hour, relative to the largest. */
  readonly bars: readonly { readonly at: number; readonly value: number }[];
  /** `small` for a row of a list. */
  readonly size?: keyof typeof sizes;
}

/** A bar chart of hours. */
export function HoursSpark({ label, bars, size = "usual" }: Props): JSX.Element {
  const { barPx, gapPx, heightPx } = sizes[size];
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

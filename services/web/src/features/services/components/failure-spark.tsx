import type { JSX } from "react";
import { type FailureHour, sayFailures } from "../failure-hours.ts";
import styles from "./failure-spark.module.css";

const barPx = 4;
const gapPx = 1;
const heightPx = 26;
/** One event among thousands is seen, too. */
const leastPx = 2;

/** A bar for each hour. */
export function FailureSpark({ hours }: { readonly hours: readonly FailureHour[] }): JSX.Element {
  const most = Math.max(1, ...hours.map(({ events }) => events));
  const width = hours.length * (barPx + gapPx) - gapPx;
  return (
    <svg
      role="img"
      aria-label={sayFailures(hours)}
      viewBox={`0 0 ${width} ${heightPx}`}
      width={width}
      height={heightPx}
      className={styles.spark}
    >
      <title>{sayFailures(hours)}</title>
      {hours.map(({ at, events }, index) => {
        const height = events === 0 ? 1 : Math.max(leastPx, (events / most) * heightPx);
        const x = index * (barPx + gapPx);
        return (
          <rect
            key={at}
            className={events === 0 ? styles.none : styles.some}
            x={x}
            y={heightPx - height}
            width={barPx}
            height={height}
          />
        );
      })}
    </svg>
  );
}

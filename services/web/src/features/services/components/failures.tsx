import type { Service } from "@whence/protocol";
import type { JSX } from "react";
import { HoursSpark } from "../../../components/hours-spark.tsx";
import { failureHours, sayFailures } from "../../../lib/failure-hours.ts";
import { percentText, rateHours, sayRate, shareOf, totalOf } from "../error-rate.ts";
import styles from "./failures.module.css";

interface Props {
  readonly service: Service;
  readonly now: number;
}

/** A service's failures in the last day: the share of its requests if known, otherwise its failing events. */
export function Failures({ service, now }: Props): JSX.Element {
  const hours = rateHours(service.answers, now);
  if (hours) {
    const bars = hours.map((hour) => ({ at: hour.at, value: shareOf(hour) }));
    return (
      <div>
        <HoursSpark label={sayRate(hours)} bars={bars} />
        <p className={styles.says}>{percentText(shareOf(totalOf(hours)))} of requests failed</p>
      </div>
    );
  }
  const failures = failureHours(service.failures, now);
  const total = failures.reduce((sum, { events }) => sum + events, 0);
  return (
    <div>
      <HoursSpark label={sayFailures(failures)} bars={failures.map(({ at, events }) => ({ at, value: events }))} />
      <p className={styles.says}>{total === 0 ? "No failures" : `${total.toLocaleString()} failing`}</p>
    </div>
  );
}

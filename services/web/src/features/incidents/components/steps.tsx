import { type IncidentStep, investigationSteps } from "@whence/protocol";
import type { JSX } from "react";
import { Icon } from "../../../components/icon.tsx";
import { clockTime, fullTime } from "../../../lib/times.ts";
import { Prose } from "./prose.tsx";
import styles from "./steps.module.css";

const names: Readonly<Record<IncidentStep["step"], string>> = {
  parse: "Read the error",
  locate: "Locate it in the code",
  collect: "Query telemetry",
  signatures: "Compare with known failures",
  rank: "Rank candidates",
  explain: "Explain",
  verify: "Verify citations",
  report: "Write the report",
};

/** The steps of the investigation: done, current, and pending. */
export function Steps({
  steps,
  isOver,
}: {
  readonly steps: readonly IncidentStep[];
  readonly isOver: boolean;
}): JSX.Element {
  const done = new Map(steps.map((step) => [step.step, step]));
  const last = steps.at(-1)?.step;
  return (
    <ol className={styles.steps} aria-label="Steps of the investigation">
      {investigationSteps.map((name) => {
        const step = done.get(name);
        const isCurrent = !isOver && name === last;
        return (
          <li key={name} data-state={isCurrent ? "current" : step ? "done" : "open"}>
            <span className={styles.mark}>{step && !isCurrent ? <Icon name="check" size={12} /> : null}</span>
            <span className={styles.name}>{names[name]}</span>
            <span className={styles.detail}>{step ? <Prose text={step.detail} /> : null}</span>
            {step ? (
              <time dateTime={step.at} title={fullTime(step.at)}>
                {clockTime(step.at)}
              </time>
            ) : (
              <span />
            )}
          </li>
        );
      })}
    </ol>
  );
}

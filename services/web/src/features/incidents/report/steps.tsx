import { type IncidentStep, investigationSteps } from "@whence/protocol";
import type { JSX } from "react";
import { Icon } from "../../../components/icon.tsx";
import { Moment } from "../../../components/time.tsx";
import { Prose } from "../components/prose.tsx";
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
  model: "Ask the language model",
};

/** The steps of the investigation: done, current, and pending; then what a language model did. */
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
        return <Step key={name} name={name} step={step} state={isCurrent ? "current" : step ? "done" : "open"} />;
      })}
      {steps
        .filter(({ step }) => step === "model")
        .map((step) => (
          <Step key={step.seq} name="model" step={step} state="done" />
        ))}
    </ol>
  );
}

interface StepProps {
  readonly name: IncidentStep["step"];
  readonly step: IncidentStep | undefined;
  readonly state: "current" | "done" | "open";
}

function Step({ name, step, state }: StepProps): JSX.Element {
  return (
    <li data-state={state}>
      <span className={styles.mark}>{state === "done" ? <Icon name="check" size={12} /> : null}</span>
      <span className={styles.name}>{names[name]}</span>
      <div className={styles.detail}>
        {step ? <Prose text={step.detail} /> : null}
        {step?.result === undefined ? null : (
          <details>
            <summary>What it answered</summary>
            <pre>{step.result}</pre>
          </details>
        )}
      </div>
      {step ? <Moment at={step.at} /> : <span />}
    </li>
  );
}

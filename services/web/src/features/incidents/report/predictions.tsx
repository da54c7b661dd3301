import type { Prediction } from "@whence/protocol";
import type { JSX } from "react";
import { Badge, type Tone } from "../../../components/badge.tsx";
import { TimeAgo } from "../../../components/time.tsx";
import { Prose } from "../components/prose.tsx";
import styles from "./predictions.module.css";

const outcomeTones: Readonly<Record<Prediction["outcome"], Tone>> = {
  open: "low",
  upheld: "good",
  refuted: "critical",
};

/** What would have to be true if the cause is right, and what came of it. */
export function Predictions({ predictions }: { readonly predictions: readonly Prediction[] }): JSX.Element {
  return (
    <ul className={styles.predictions}>
      {predictions.map((prediction) => (
        <li key={prediction.statement}>
          <Badge tone={outcomeTones[prediction.outcome]}>{prediction.outcome}</Badge>
          <div>
            <p>
              <Prose text={prediction.statement} />
            </p>
            <p className={styles.soft}>
              <Prose text={prediction.check} />
            </p>
            {prediction.result ? (
              <p className={styles.soft}>
                <Prose text={prediction.result.reason} /> (<TimeAgo at={prediction.result.at} />)
              </p>
            ) : null}
          </div>
        </li>
      ))}
    </ul>
  );
}

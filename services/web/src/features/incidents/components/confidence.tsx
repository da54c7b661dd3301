import type { Report } from "@whence/protocol";
import type { JSX } from "react";
import { confidenceBasis } from "../confidence-basis.ts";
import styles from "./confidence.module.css";
import { Prose } from "./prose.tsx";

/** A report's confidence and its basis. */
export function Confidence({ confidence }: { readonly confidence: Report["confidence"] }): JSX.Element {
  const { model_score: before } = confidence;
  const { percentage, about, first, rest } = confidenceBasis(confidence);
  return (
    <div className={styles.confidence}>
      <p className={styles.number}>
        <strong>{percentage}</strong> {about}
      </p>
      <meter min={0} max={1} value={confidence.score} aria-label="Confidence" />
      {first === "" ? null : <p className={styles.basis}>{first}</p>}
      {rest === "" && before === undefined ? null : (
        <details>
          <summary>How this is calculated</summary>
          {rest === "" ? null : (
            <p>
              <Prose text={rest} />
            </p>
          )}
          {before === undefined ? null : (
            <p>Adjusted by your organization's history. Without it: {Math.round(before * 100)}%.</p>
          )}
        </details>
      )}
    </div>
  );
}

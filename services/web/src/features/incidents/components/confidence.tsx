import type { Report } from "@whence/protocol";
import type { JSX } from "react";
import { confidenceBasis } from "../confidence-basis.ts";
import styles from "./confidence.module.css";
import { Prose } from "./prose.tsx";

/** A report's confidence and its basis. */
export function Confidence({ confidence }: { readonly confidence: Report["confidence"] }): JSX.Element {
  const { score, basis, model_score: before } = confidence;
  const { first, rest } = confidenceBasis(basis);
  return (
    <div className={styles.confidence}>
      <p className={styles.number}>
        <strong>{Math.round(score * 100)}%</strong> confidence
      </p>
      <meter min={0} max={1} value={score} aria-label="Confidence" />
      <p className={styles.basis}>{first}</p>
      <details>
        <summary>How this is calculated</summary>
        <p>
          <Prose text={rest} />
        </p>
        {before === undefined ? null : (
          <p>Adjusted by your organization's history. Without it: {Math.round(before * 100)}%.</p>
        )}
      </details>
    </div>
  );
}

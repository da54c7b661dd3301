import { confidenceText, type Report } from "@whence/protocol";
import type { JSX } from "react";
import { Prose } from "../components/prose.tsx";
import styles from "./confidence.module.css";
import { firstSentence } from "./first-sentence.ts";

/** How likely the cause is right, in words, and how that was calculated. */
export function Confidence({ confidence }: { readonly confidence: Report["confidence"] }): JSX.Element {
  const { model_score: before } = confidence;
  const [first, rest] = firstSentence(confidenceText(confidence).replace(/^(\d+%)\. /, "$1: "));
  return (
    <div className={styles.confidence}>
      <p>
        <strong>{first}</strong>
      </p>
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

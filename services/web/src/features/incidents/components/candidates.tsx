import type { Candidate } from "@whence/protocol";
import type { JSX } from "react";
import { categoryName } from "../../../lib/category-name.ts";
import { placeName } from "../place-name.ts";
import styles from "./candidates.module.css";
import { Citations, Prose } from "./prose.tsx";

/** Every cause that was weighed: the winner, and by how much the others lost. */
export function Candidates({ candidates }: { readonly candidates: readonly Candidate[] }): JSX.Element {
  const best = candidates[0]?.score ?? 0;
  return (
    <ol className={styles.candidates}>
      {candidates.map((candidate) => (
        <li key={candidate.rank} data-first={candidate.rank === 1 || undefined}>
          <span className={styles.rank}>{candidate.rank}</span>
          <div className={styles.text}>
            <p>
              <Prose text={candidate.statement} />
            </p>
            <p className={styles.soft}>
              {categoryName(candidate.category)}
              {candidate.service ? ` · ${candidate.service}` : ""}
              {candidate.location ? ` · ${placeName(candidate.location)}` : ""} · {whyOf(candidate, best)}
            </p>
            <Citations ids={candidate.evidence_ids} />
          </div>
          <Score value={candidate.score} />
        </li>
      ))}
    </ol>
  );
}

function whyOf({ rank, score, evidence_ids: ids }: Candidate, best: number): string {
  const rests = `rests on ${ids.length} ${ids.length === 1 ? "piece" : "pieces"} of evidence`;
  return rank === 1 ? rests : `${rests}; ${Math.round((best - score) * 100)} points behind the first`;
}

function Score({ value }: { readonly value: number }): JSX.Element {
  return (
    <span className={styles.score}>
      {value.toFixed(2)}
      <meter min={0} max={1} value={value} aria-label="Score" />
    </span>
  );
}

import type { Candidate, Evidence } from "@whence/protocol";
import type { JSX } from "react";
import { categoryName } from "../../../lib/category-name.ts";
import { placeName } from "../place-name.ts";
import { codeAt, guiltyLine } from "../quoted-code.ts";
import styles from "./candidates.module.css";
import { Citations, Prose } from "./prose.tsx";
import { QuotedLines } from "./quoted-lines.tsx";

export interface CandidatesProps {
  readonly candidates: readonly Candidate[];
  readonly evidence: readonly Evidence[];
}

/** Every cause that was weighed, with its line of code: why the winner won, and why the others lost. */
export function Candidates({ candidates, evidence }: CandidatesProps): JSX.Element {
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
              {candidate.location ? ` · ${placeName(candidate.location)}` : ""}
            </p>
            <Line candidate={candidate} evidence={evidence} />
            <Reasons candidate={candidate} best={best} />
            <Citations ids={candidate.evidence_ids} />
          </div>
          <Score value={candidate.score} />
        </li>
      ))}
    </ol>
  );
}

function Line({
  candidate,
  evidence,
}: { readonly candidate: Candidate } & Pick<CandidatesProps, "evidence">): JSX.Element | null {
  const quoted = codeAt(candidate.location, evidence);
  return quoted ? <QuotedLines quoted={guiltyLine(quoted)} label={`The line of candidate ${candidate.rank}`} /> : null;
}

/** What speaks for the first; of the others what speaks against them, and how far they are behind. */
function Reasons({ candidate, best }: { readonly candidate: Candidate; readonly best: number }): JSX.Element {
  const { rank, score, support = [], against = [] } = candidate;
  const behind = `${Math.round((best - score) * 100)} points behind the first`;
  return (
    <ul className={styles.reasons}>
      {rank === 1 ? support.map((line) => <Reason key={line} sign="+" line={line} />) : null}
      {against.map((line) => (
        <Reason key={line} sign="−" line={line} />
      ))}
      {rank === 1 ? null : (
        <Reason sign="−" line={against.length > 0 ? behind : `what speaks for it weighs less: ${behind}`} />
      )}
    </ul>
  );
}

function Reason({ sign, line }: { readonly sign: "+" | "−"; readonly line: string }): JSX.Element {
  return (
    <li className={styles.reason}>
      <span aria-hidden="true">{sign}</span>
      <span>
        <Prose text={line} />
      </span>
    </li>
  );
}

function Score({ value }: { readonly value: number }): JSX.Element {
  return (
    <span className={styles.score}>
      {value.toFixed(2)}
      <meter min={0} max={1} value={value} aria-label="Score" />
    </span>
  );
}

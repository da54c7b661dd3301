import type { Candidate, Evidence } from "@whence/protocol";
import { type JSX, useState } from "react";
import { Button } from "../../../components/button.tsx";
import { candidateFacts, lowerRankReason } from "../candidate-facts.ts";
import { codeAt, markedLine } from "../quoted-code.ts";
import styles from "./candidates.module.css";
import { Citations, Prose } from "./prose.tsx";
import { QuotedLines } from "./quoted-lines.tsx";

const candidatesShown = 3;

export interface CandidatesProps {
  /** The most likely first. */
  readonly candidates: readonly Candidate[];
  readonly evidence: readonly Evidence[];
}

/** The candidates, each with its line of code: why the first ranks first, and why the others rank lower. */
export function Candidates({ candidates, evidence }: CandidatesProps): JSX.Element {
  const [areAllShown, showAll] = useState(false);
  const [first] = candidates;
  const shown = areAllShown ? candidates : candidates.slice(0, candidatesShown);
  const rest = candidates.length - shown.length;
  return (
    <>
      <ol className={styles.candidates}>
        {shown.map((candidate) => (
          <li key={candidate.rank} data-first={candidate === first || undefined}>
            <span className={styles.rank}>{candidate.rank}</span>
            <div className={styles.text}>
              <p>
                <Prose text={candidate.statement} />
              </p>
              <Line candidate={candidate} evidence={evidence} />
              <Reasons candidate={candidate} first={candidate === first ? null : first} />
              <p className={styles.soft}>
                {candidateFacts(candidate)} <Citations ids={candidate.evidence_ids} />
              </p>
            </div>
            <Score value={candidate.score} />
          </li>
        ))}
      </ol>
      {rest > 0 ? (
        <div>
          <Button look="quiet" onClick={() => showAll(true)}>
            Show {rest} more {rest === 1 ? "candidate" : "candidates"}
          </Button>
        </div>
      ) : null}
    </>
  );
}

interface LineProps extends Pick<CandidatesProps, "evidence"> {
  readonly candidate: Candidate;
}

function Line({ candidate: { rank, location }, evidence }: LineProps): JSX.Element | null {
  const quoted = codeAt(location, evidence);
  if (quoted === null) return null;
  return <QuotedLines quoted={markedLine(quoted)} label={`Line of candidate ${rank}`} isMarked={rank === 1} />;
}

interface ReasonsProps {
  readonly candidate: Candidate;
  /** The candidate that ranks first. */
  readonly first: Candidate | null | undefined;
}

/** The evidence for and against the first candidate; for the others, the evidence against them and how far behind they are. */
function Reasons({ candidate, first }: ReasonsProps): JSX.Element {
  const { support, against } = candidate;
  const lower = lowerRankReason(candidate, first ?? null);
  return (
    <ul className={styles.reasons}>
      {first ? null : support.map((line) => <Reason key={line} name="For" line={line} />)}
      {against.map((line) => (
        <Reason key={line} name="Against" line={line} />
      ))}
      {lower === null ? null : <Reason name="Ranks lower" line={lower} />}
    </ul>
  );
}

function Reason({ name, line }: { readonly name: string; readonly line: string }): JSX.Element {
  return (
    <li className={styles.reason}>
      <span>{name}</span>
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

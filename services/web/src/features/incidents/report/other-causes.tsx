import type { Candidate, Evidence } from "@whence/protocol";
import { type JSX, useState } from "react";
import { Button } from "../../../components/button.tsx";
import { Citations, Prose } from "../components/prose.tsx";
import { QuotedLines } from "../components/quoted-lines.tsx";
import { codeAt, markedLine } from "../quoted-code.ts";
import { candidateFacts, lowerRankReason } from "./candidate-facts.ts";
import styles from "./other-causes.module.css";

const candidatesShown = 3;

export interface OtherCausesProps {
  /** The most likely first; the first is the cause that the report names. */
  readonly candidates: readonly Candidate[];
  readonly evidence: readonly Evidence[];
}

/** What else could have caused it, each with its line of code and why it ranks lower; first, what speaks for the cause. */
export function OtherCauses({ candidates, evidence }: OtherCausesProps): JSX.Element {
  const [areAllShown, showAll] = useState(false);
  const [first, ...others] = candidates;
  const shown = areAllShown ? others : others.slice(0, candidatesShown);
  const rest = others.length - shown.length;
  return (
    <>
      {first ? <Arguments candidate={first} /> : null}
      <ol className={styles.candidates}>
        {shown.map((candidate) => (
          <li key={candidate.rank}>
            <span className={styles.rank}>{candidate.rank}</span>
            <div className={styles.text}>
              <p>
                <Prose text={candidate.statement} />
              </p>
              <Line candidate={candidate} evidence={evidence} />
              <Reasons candidate={candidate} first={first ?? null} />
              <p className={styles.soft}>
                {candidateFacts(candidate)} <Citations ids={candidate.evidence_ids} />
              </p>
            </div>
            <span className={styles.score}>{Math.round(candidate.score * 100)}%</span>
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

/** What speaks for the cause that the report names, and against it. */
function Arguments({ candidate: { support, against } }: { readonly candidate: Candidate }): JSX.Element {
  return (
    <ul className={styles.reasons}>
      {support.map((line) => (
        <Reason key={line} name="For" line={line} />
      ))}
      {against.map((line) => (
        <Reason key={line} name="Against" line={line} />
      ))}
    </ul>
  );
}

interface LineProps extends Pick<OtherCausesProps, "evidence"> {
  readonly candidate: Candidate;
}

function Line({ candidate: { rank, location }, evidence }: LineProps): JSX.Element | null {
  const quoted = codeAt(location, evidence);
  if (quoted === null) return null;
  return <QuotedLines quoted={markedLine(quoted)} label={`Line of candidate ${rank}`} isMarked={false} />;
}

interface ReasonsProps {
  readonly candidate: Candidate;
  /** The candidate that ranks first. */
  readonly first: Candidate | null;
}

/** The evidence against a candidate, and how far behind it is. */
function Reasons({ candidate, first }: ReasonsProps): JSX.Element {
  const lower = lowerRankReason(candidate, first);
  return (
    <ul className={styles.reasons}>
      {candidate.against.map((line) => (
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

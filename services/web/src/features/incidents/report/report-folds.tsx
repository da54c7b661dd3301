import type { Incident, Report } from "@whence/protocol";
import { type JSX, Suspense, useMemo } from "react";
import { lazyPart } from "../../../components/lazy-part.tsx";
import { Folded } from "../components/folded.tsx";
import { Prose } from "../components/prose.tsx";
import { citedEvidence } from "../evidence/cited-evidence.ts";
import { EvidenceFold } from "../evidence/evidence-fold.tsx";
import type { Cited } from "../evidence/use-cited.ts";
import { Prevention } from "../remedy/prevention.tsx";
import { OtherCauses } from "./other-causes.tsx";
import { Predictions } from "./predictions.tsx";
import styles from "./report-folds.module.css";

const AskReport = lazyPart(() => import("./ask-report.tsx"));

interface ReportFoldsProps {
  readonly incident: Incident;
  readonly report: Report;
  readonly cited: Cited;
}

/** What else a report says, folded: why the cause, what else it could be, and what it rests on. */
export function ReportFolds({ incident, report, cited }: ReportFoldsProps): JSX.Element {
  const { candidates, predictions, long_term_solutions: prevention, not_checked: unchecked } = report;
  const evidence = useMemo(() => citedEvidence(report), [report]);
  const others = candidates.length - 1;
  return (
    <>
      {candidates.length > 0 ? (
        <Folded title="Other causes" note={others < 1 ? "none as likely" : String(others)}>
          {() => <OtherCauses candidates={candidates} evidence={report.evidence} />}
        </Folded>
      ) : null}
      <EvidenceFold evidence={evidence} cited={cited} />
      {predictions.length > 0 ? (
        <Folded title="Predictions" note={String(predictions.length)}>
          {() => <Predictions predictions={predictions} />}
        </Folded>
      ) : null}
      {unchecked.length > 0 ? (
        <Folded title="Not checked" note={String(unchecked.length)}>
          {() => <Unchecked lines={unchecked} />}
        </Folded>
      ) : null}
      {prevention.length > 0 ? (
        <Folded title="Prevent it" note={String(prevention.length)}>
          {() => <Prevention solutions={prevention} />}
        </Folded>
      ) : null}
      <Folded title="Ask about this report" isPrinted={false}>
        {() => (
          <Suspense>
            <AskReport key={incident.id} incidentId={incident.id} />
          </Suspense>
        )}
      </Folded>
    </>
  );
}

function Unchecked({ lines }: { readonly lines: readonly string[] }): JSX.Element {
  return (
    <ul className={styles.plain}>
      {lines.map((line) => (
        <li key={line}>
          <Prose text={line} />
        </li>
      ))}
    </ul>
  );
}

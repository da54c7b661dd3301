import { useQuery } from "@tanstack/react-query";
import type { Incident, Refinement } from "@whence/protocol";
import type { JSX } from "react";
import { Moment } from "../../../components/time.tsx";
import { reportVersionsQuery } from "../api/get-reports.ts";
import styles from "./refinement-note.module.css";
import { versionChanges } from "./report-changes.ts";

export interface RefinementNoteProps {
  readonly incident: Incident;
  readonly refinement: Refinement;
}

/** Whether the report may still change, and what has changed since its first version. */
export function RefinementNote({ incident, refinement }: RefinementNoteProps): JSX.Element | null {
  const { version, refining, refined_until: until } = refinement;
  if (!refining && version === 1) return null;
  return (
    <div className={styles.note}>
      <p role="status">
        {refining ? (
          <>
            <strong>Refining.</strong> This is what is known so far. The report updates as evidence arrives
            {until === null ? "" : <Until at={until} />}.
          </>
        ) : (
          "This report is final."
        )}
      </p>
      {version > 1 ? <Changes id={incident.id} version={version} /> : null}
    </div>
  );
}

function Until({ at }: { readonly at: string }): JSX.Element {
  return (
    <>
      , until <Moment at={at} />
    </>
  );
}

function Changes({ id, version }: { readonly id: string; readonly version: number }): JSX.Element | null {
  const { data } = useQuery(reportVersionsQuery(id, version));
  const changed = versionChanges(data?.reports ?? []);
  if (changed.length === 0) return null;
  return (
    <details>
      <summary>What changed</summary>
      <ul className={styles.versions}>
        {changed.map((one) => (
          <li key={one.version}>
            <span>
              Version {one.version}, <Moment at={one.at} />
            </span>
            <ul>
              {one.changes.map((change) => (
                <li key={change}>{change}</li>
              ))}
            </ul>
          </li>
        ))}
      </ul>
    </details>
  );
}

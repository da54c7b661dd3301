import { Link } from "@tanstack/react-router";
import type { JoinedFailure } from "@whence/protocol";
import type { JSX } from "react";
import { Button } from "../../../components/button.tsx";
import { TimeAgo } from "../../../components/time.tsx";
import { paths } from "../../../config/paths.ts";
import { Prose } from "../components/prose.tsx";
import { useSplit } from "../use-merge.ts";
import styles from "./joined-failures.module.css";

interface JoinedFailuresProps {
  readonly incidentId: string;
  readonly failures: readonly JoinedFailure[];
}

/**
 * Failures that follow from the incident's, led to it, or were merged into it, each with where it was seen, why it
 * belongs here, and a button that gives it an incident of its own.
 */
export function JoinedFailures({ incidentId, failures }: JoinedFailuresProps): JSX.Element {
  const { split, isPending } = useSplit(incidentId);
  return (
    <ul className={styles.joined}>
      {failures.map(({ fingerprint, service, title, reason, events, last_seen: last, merged_from: from = null }) => (
        <li key={`${service} ${fingerprint}`}>
          <div className={styles.head}>
            <p className={styles.title}>{title}</p>
            <Button
              look="quiet"
              busy={isPending}
              aria-label={`Split off ${title}`}
              onClick={() => split({ mergedFrom: from, fingerprint })}
            >
              Split off
            </Button>
          </div>
          <p className={styles.soft}>
            {service} · {events.toLocaleString()} {events === 1 ? "event" : "events"}, the last <TimeAgo at={last} />
          </p>
          <p className={styles.soft}>
            <Prose text={reason} />
            {from === null ? null : (
              <>
                {" "}
                <Link to={paths.incident} params={{ id: from }}>
                  Its report
                </Link>
              </>
            )}
          </p>
        </li>
      ))}
    </ul>
  );
}

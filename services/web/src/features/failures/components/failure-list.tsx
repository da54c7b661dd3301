import { Link } from "@tanstack/react-router";
import type { FailureSummary } from "@whence/protocol";
import type { JSX } from "react";
import { Badge } from "../../../components/badge.tsx";
import { TimeAgo } from "../../../components/time.tsx";
import { paths } from "../../../config/paths.ts";
import { decisionName } from "../decision-names.ts";
import styles from "./failure-list.module.css";

/** Failures, each with what was decided about it and why. */
export function FailureList({ failures }: { readonly failures: readonly FailureSummary[] }): JSX.Element {
  return (
    <ul className={styles.list} aria-label="Failures">
      {failures.map((failure) => (
        <FailureRow key={`${failure.fingerprint} ${failure.env}`} failure={failure} />
      ))}
    </ul>
  );
}

function FailureRow({ failure }: { readonly failure: FailureSummary }): JSX.Element {
  const { title, decision } = failure;
  const { name, tone } = decisionName(decision);
  return (
    <li className={styles.row}>
      <div className={styles.text}>
        <p className={styles.title}>
          {title} <Badge tone={tone}>{name}</Badge>
        </p>
        <p className={styles.reason}>{decision.reason}</p>
        <Facts failure={failure} />
      </div>
      <IncidentLink failure={failure} />
    </li>
  );
}

function Facts({ failure }: { readonly failure: FailureSummary }): JSX.Element {
  const { service, env, events, decision, fingerprint, first_seen: firstSeen, last_seen: lastSeen } = failure;
  return (
    <p className={styles.facts}>
      <span>{service}</span>
      <span>{env}</span>
      <span>{events === 1 ? "once" : `${events.toLocaleString()} times`}</span>
      <span>
        last <TimeAgo at={lastSeen} />
      </span>
      {firstSeen === lastSeen ? null : (
        <span>
          first <TimeAgo at={firstSeen} />
        </span>
      )}
      {/* The thresholds list muted failures by fingerprint, so unmuting one needs it. */}
      {decision.rule === "muted-failure" ? <code>{fingerprint}</code> : null}
    </p>
  );
}

/** Links to the incident that the failure counts toward, or to its earlier one when it was skipped. */
function IncidentLink({ failure }: { readonly failure: FailureSummary }): JSX.Element | null {
  const { incident_id: id, decision, title } = failure;
  if (id === null) return null;
  const name = decision.outcome === "skipped" ? "Earlier incident" : "Incident";
  return (
    <Link to={paths.incident} params={{ id }} aria-label={`${name}: ${title}`}>
      {name}
    </Link>
  );
}

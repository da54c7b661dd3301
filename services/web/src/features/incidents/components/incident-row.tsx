import { Link } from "@tanstack/react-router";
import type { IncidentSummary } from "@whence/protocol";
import type { JSX } from "react";
import { TimeAgo } from "../../../components/time.tsx";
import { paths } from "../../../config/paths.ts";
import { listedCause } from "../listed-cause.ts";
import styles from "./incident-row.module.css";
import { SeverityBadge, StatusBadge } from "./severity.tsx";

/** One incident of a list: what failed, the cause if known, where, and when. */
export function IncidentRow({
  incident,
  id,
}: {
  readonly incident: IncidentSummary;
  readonly id?: string;
}): JSX.Element {
  const { severity, title, status, service, env, confidence, created_at: opened, also_in: others = [] } = incident;
  return (
    <Link
      to={paths.incident}
      params={{ id: incident.id }}
      className={styles.row}
      id={id}
      data-severity={severity}
      data-row
    >
      <span className={styles.badges}>
        <SeverityBadge severity={severity} />
      </span>
      <span className={styles.text}>
        <span className={styles.title}>{title}</span>
        <span className={styles.cause}>{listedCause(incident)}</span>
      </span>
      <span className={styles.place}>
        <span>
          {service ?? "No service"}
          {others.length > 0 ? <span title={`Also in ${others.join(", ")}`}> +{others.length}</span> : null}
        </span>
        {env === null ? null : <span className={styles.soft}>{env}</span>}
      </span>
      <span className={styles.state}>
        {status === "completed" && confidence !== null ? (
          <span title="Confidence">{Math.round(confidence * 100)}%</span>
        ) : (
          <StatusBadge status={status} />
        )}
      </span>
      <span className={styles.age}>
        <TimeAgo at={opened} />
      </span>
    </Link>
  );
}

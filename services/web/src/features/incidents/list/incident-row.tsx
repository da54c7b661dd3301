import { Link } from "@tanstack/react-router";
import { type IncidentSummary, isRegressed } from "@whence/protocol";
import type { JSX } from "react";
import { HoursSpark } from "../../../components/hours-spark.tsx";
import { SeverityBadge } from "../../../components/severity-badge.tsx";
import { TimeAgo } from "../../../components/time.tsx";
import { paths } from "../../../config/paths.ts";
import { failureHours, sayFailures } from "../../../lib/failure-hours.ts";
import { useNow } from "../../../lib/use-now.ts";
import { LifecycleBadge } from "../components/lifecycle-state.tsx";
import { StatusBadge } from "../components/status-badge.tsx";
import { isHappening } from "../pulse.ts";
import styles from "./incident-row.module.css";
import { listedCause } from "./listed-cause.ts";
import type { TrendOf } from "./use-trends.ts";

/** One incident of a list: what failed, the cause if known, where, and when. */
export function IncidentRow({
  incident,
  id,
  trend = [],
}: {
  readonly incident: IncidentSummary;
  readonly id?: string;
  /** How often its failure occurred in the hours of the last day. */
  readonly trend?: ReturnType<TrendOf>;
}): JSX.Element {
  const { severity, title, service, env, created_at: opened, owner, also_in: others = [] } = incident;
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
      <Events occurrences={incident.occurrences} trend={trend} />
      <span className={styles.owner} title={owner === null ? undefined : `Owner: ${owner.name}`}>
        {owner?.name}
      </span>
      <span className={styles.state}>
        <ListedState incident={incident} />
      </span>
      <span className={styles.age}>
        <TimeAgo at={opened} />
      </span>
    </Link>
  );
}

/** The names of the columns, where there are columns. Each cell says what it is without them, too. */
export function IncidentHeads(): JSX.Element {
  return (
    <div className={styles.heads} aria-hidden="true">
      {["Severity", "Incident", "Service", "Events", "Owner"].map((name) => (
        <span key={name}>{name}</span>
      ))}
      <span className={styles.state}>Confidence</span>
      <span className={styles.age}>Opened</span>
    </div>
  );
}

const everyMs = 15_000;

interface EventsProps extends Pick<IncidentSummary, "occurrences"> {
  readonly trend: ReturnType<TrendOf>;
}

/**
 * How often the failure occurred since it opened, whether it still happens, and its last day by hour. Nothing for an
 * analysis of a text.
 */
function Events({ occurrences, trend }: EventsProps): JSX.Element {
  const now = useNow(everyMs);
  if (occurrences === undefined) return <span className={styles.events} />;
  const { events, last_seen: lastSeen } = occurrences;
  return (
    <span className={styles.events}>
      <span>
        {events.toLocaleString()} {events === 1 ? "event" : "events"}
      </span>
      {isHappening(lastSeen, now) ? (
        <span className={styles.happening}>Still happening</span>
      ) : (
        <span className={styles.soft}>Quiet</span>
      )}
      {trend.length > 0 ? <Trend trend={trend} now={now} /> : null}
    </span>
  );
}

function Trend({ trend, now }: Pick<EventsProps, "trend"> & { readonly now: number }): JSX.Element {
  const hours = failureHours(trend, now);
  const bars = hours.map(({ at, events }) => ({ at, value: events }));
  return <HoursSpark label={sayFailures(hours)} bars={bars} size="small" />;
}

/** What people decided, or else how sure the report is, or else the state of the investigation. */
function ListedState({ incident }: { readonly incident: IncidentSummary }): JSX.Element {
  const { status, lifecycle, category, confidence } = incident;
  if (lifecycle.state !== "open" || isRegressed(lifecycle)) return <LifecycleBadge lifecycle={lifecycle} />;
  const isExplained = status === "completed" && confidence !== null && category !== "unknown";
  if (!isExplained) return <StatusBadge status={status} category={category} />;
  return <span title="Confidence">{Math.round(confidence * 100)}%</span>;
}

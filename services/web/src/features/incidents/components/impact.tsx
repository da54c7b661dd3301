import { useQuery } from "@tanstack/react-query";
import type { Incident, IncidentTelemetry } from "@whence/protocol";
import { type JSX, lazy, Suspense, useMemo } from "react";
import { Problem } from "../../../components/problem.tsx";
import { clockTime } from "../../../lib/times.ts";
import { incidentTelemetryQuery } from "../api/get-telemetry.ts";
import { changePoint } from "../change-point.ts";
import { everyMinute } from "../every-minute.ts";
import { impactBars, type PlaceCount } from "../impact-bars.ts";
import { minutesInWords, rateText } from "../minutes-in-words.ts";
import styles from "./impact.module.css";
import { Prose } from "./prose.tsx";

const MinutesChart = lazy(() => import("./minutes-chart.tsx"));

/** The impact: in the report's words, by minute, and by place. */
export function Impact({ incident }: { readonly incident: Incident }): JSX.Element {
  const { data: telemetry, error } = useQuery({
    ...incidentTelemetryQuery(incident.id),
    enabled: incident.fingerprint !== null || incident.service !== null,
  });
  return (
    <div className={styles.impact}>
      {incident.report ? (
        <p>
          <Prose text={incident.report.impact.summary} />
        </p>
      ) : null}
      {error ? <Problem error={error} /> : null}
      {telemetry && telemetry.minutes.length > 0 ? <Minutes telemetry={telemetry} /> : null}
      {telemetry ? (
        <div className={styles.places}>
          <Bars name="Route" rows={telemetry.routes} />
          <Bars name="Host" rows={telemetry.hosts} />
          <Bars name="Release" rows={telemetry.releases} />
        </div>
      ) : null}
    </div>
  );
}

function Minutes({ telemetry }: { readonly telemetry: IncidentTelemetry }): JSX.Element {
  const { times, counts, change, label } = useMemo(() => {
    const series = everyMinute(telemetry);
    const point = changePoint(series.counts);
    return { ...series, change: point, label: minutesInWords(series.times, series.counts, point?.index ?? null) };
  }, [telemetry]);
  return (
    <figure className={styles.figure}>
      <figcaption>Events per minute</figcaption>
      <Suspense fallback={<div className={styles.waiting} />}>
        <MinutesChart times={times} counts={counts} change={change} label={label} />
      </Suspense>
      {change === null ? null : (
        <p className={styles.soft}>
          {rateText(change.after)} per minute since {clockTime(new Date(times[change.index] ?? 0).toISOString())},{" "}
          {rateText(change.before)} before.
        </p>
      )}
    </figure>
  );
}

interface BarsProps {
  readonly name: string;
  readonly rows: readonly PlaceCount[];
}

function Bars({ name, rows }: BarsProps): JSX.Element | null {
  const bars = impactBars(rows);
  if (bars === null) return null;
  return (
    <table className={styles.bars}>
      <thead>
        <tr>
          <th scope="col">{name}</th>
          <th scope="col">Events</th>
        </tr>
      </thead>
      <tbody>
        {bars.shown.map((row) => (
          <tr key={row.name}>
            <th scope="row" title={row.name}>
              <span className={styles.barName}>{row.name}</span>
              <span className={styles.bar} style={{ width: `${row.percent}%` }} />
            </th>
            <td>{row.events.toLocaleString()}</td>
          </tr>
        ))}
      </tbody>
      {bars.more > 0 ? <caption>and {bars.more} more</caption> : null}
    </table>
  );
}

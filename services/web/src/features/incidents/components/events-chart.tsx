import { useQuery } from "@tanstack/react-query";
import type { Incident, IncidentLinks, IncidentTelemetry } from "@whence/protocol";
import { type JSX, lazy, Suspense, useMemo } from "react";
import { Problem } from "../../../components/problem.tsx";
import { fullTime, sentenceTime } from "../../../lib/times.ts";
import { incidentTelemetryQuery } from "../api/get-telemetry.ts";
import { changePoint } from "../change-point.ts";
import { type ChartMarker, chartMarkers } from "../chart-markers.ts";
import { everyMinute } from "../every-minute.ts";
import { minutesInWords, rateText } from "../minutes-in-words.ts";
import styles from "./events-chart.module.css";
import { Prose } from "./prose.tsx";
import { Section } from "./section.tsx";

const MinutesChart = lazy(() => import("./minutes-chart.tsx"));

interface EventsChartProps {
  readonly incident: Incident;
  readonly alerts: IncidentLinks["alerts"];
}

/** How often the failure occurred, with the deploys, flags, and alerts beside it, and the impact in words. */
export function EventsChart({ incident, alerts }: EventsChartProps): JSX.Element | null {
  const { data: telemetry, error } = useQuery({
    ...incidentTelemetryQuery(incident.id),
    enabled: incident.fingerprint !== null || incident.service !== null,
  });
  const impact = incident.report?.impact.summary ?? "";
  const hasEvents = telemetry !== undefined && telemetry.minutes.length > 0;
  if (impact === "" && !hasEvents && !error) return null;
  return (
    <Section title="Events">
      {impact === "" ? null : (
        <p>
          <Prose text={impact} />
        </p>
      )}
      {error ? <Problem error={error} /> : null}
      {hasEvents ? <Minutes incident={incident} telemetry={telemetry} alerts={alerts} /> : null}
    </Section>
  );
}

interface MinutesProps extends EventsChartProps {
  readonly telemetry: IncidentTelemetry;
}

function Minutes({ incident, telemetry, alerts }: MinutesProps): JSX.Element {
  const { times, counts, change, label } = useMemo(() => {
    const series = everyMinute(telemetry);
    const point = changePoint(series.counts);
    return { ...series, change: point, label: minutesInWords(series.times, series.counts, point?.index ?? null) };
  }, [telemetry]);
  const markers = useMemo(() => chartMarkers(incident, telemetry, alerts), [incident, telemetry, alerts]);
  return (
    <figure className={styles.figure}>
      <figcaption>Events per minute</figcaption>
      <Suspense fallback={<div className={styles.waiting} />}>
        <MinutesChart times={times} counts={counts} markers={markers} label={label} />
      </Suspense>
      {change === null ? null : (
        <p className={styles.soft}>
          {rateText(change.after)} per minute since{" "}
          {sentenceTime(new Date(times[change.index] ?? 0).toISOString(), Date.now())}, {rateText(change.before)}{" "}
          before.
        </p>
      )}
      <Markers markers={markers} />
    </figure>
  );
}

const markersListed = 4;
const kindNames: Readonly<Record<ChartMarker["kind"], string>> = { deploy: "Deploy", flag: "Flag", alert: "Alert" };

/** What the marks in the chart are, the latest first. */
function Markers({ markers }: { readonly markers: readonly ChartMarker[] }): JSX.Element | null {
  if (markers.length === 0) return null;
  const listed = markers.toReversed().slice(0, markersListed);
  return (
    <ul className={styles.markers} aria-label="Marks in the chart">
      {listed.map(({ at, kind, text }) => {
        const time = new Date(at).toISOString();
        return (
          <li key={`${at} ${kind} ${text}`} data-kind={kind}>
            <strong>{kindNames[kind]}</strong> {text},{" "}
            <time dateTime={time} title={fullTime(time)}>
              {sentenceTime(time, Date.now())}
            </time>
          </li>
        );
      })}
    </ul>
  );
}

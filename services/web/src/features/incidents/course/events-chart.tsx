import { useQuery } from "@tanstack/react-query";
import type { Incident, IncidentLinks, IncidentTelemetry } from "@whence/protocol";
import { type JSX, useMemo } from "react";
import { ChartFigure } from "../../../components/chart-figure.tsx";
import { Problem } from "../../../components/problem.tsx";
import { sentenceTime } from "../../../lib/times.ts";
import { incidentTelemetryQuery } from "../api/get-telemetry.ts";
import { Prose } from "../components/prose.tsx";
import { Section } from "../components/section.tsx";
import { changePoint } from "./change-point.ts";
import { chartMarkers } from "./chart-markers.ts";
import { everyMinute } from "./every-minute.ts";
import { minutesInWords, rateText } from "./minutes-in-words.ts";

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
    return { ...series, change: point, label: minutesInWords(series, point?.index ?? null, Date.now()) };
  }, [telemetry]);
  const markers = useMemo(() => chartMarkers(incident, telemetry, alerts), [incident, telemetry, alerts]);
  return (
    <ChartFigure caption="Events per minute" times={times} values={counts} markers={markers} label={label}>
      {change === null ? null : (
        <>
          {rateText(change.after)} per minute since{" "}
          {sentenceTime(new Date(times[change.index] ?? 0).toISOString(), Date.now())}, {rateText(change.before)}{" "}
          before.
        </>
      )}
    </ChartFigure>
  );
}

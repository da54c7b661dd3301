import { useQuery } from "@tanstack/react-query";
import type { Incident, Occurrence } from "@whence/protocol";
import type { JSX } from "react";
import { Button } from "../../../components/button.tsx";
import { fullTime, sentenceTime } from "../../../lib/times.ts";
import { incidentTelemetryQuery } from "../api/get-telemetry.ts";
import { FactTable } from "../components/fact-table.tsx";
import { impactBars, type PlaceCount } from "./impact-bars.ts";
import { occurrenceCounts } from "./occurrence-counts.ts";
import styles from "./occurrence-list.module.css";

interface OccurrenceListProps {
  readonly incident: Incident;
  readonly occurrences: readonly Occurrence[];
  /** The event that is open; null when none is known. */
  readonly openId: string | null;
  open(eventId: string): void;
  /** Loads older events; null when there are none. */
  readonly loadMore: (() => void) | null;
}

/** Each event of a failure, the newest first, and how many there were where. */
export function OccurrenceList({ incident, occurrences, openId, open, loadMore }: OccurrenceListProps): JSX.Element {
  const { data: telemetry } = useQuery(incidentTelemetryQuery(incident.id));
  return (
    <>
      <div className={styles.counts}>
        {occurrenceCounts(telemetry, occurrences).map(({ name, rows }) => (
          <Bars key={name} name={name} rows={rows} />
        ))}
      </div>
      <FactTable
        label="All events of the failure"
        heads={["Time", "Route", "Host", "Release", "Service"]}
        rows={occurrences.map(({ event_id: id, at, route, host, release, service, env }) => [
          <Button key="open" look="quiet" aria-pressed={id === openId} onClick={() => open(id)} title={fullTime(at)}>
            {sentenceTime(at, Date.now())}
          </Button>,
          route ?? "",
          host,
          release,
          `${service} ${env}`,
        ])}
      />
      {loadMore === null ? null : (
        <div>
          <Button look="quiet" onClick={loadMore}>
            Show older events
          </Button>
        </div>
      )}
    </>
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

import { useQuery } from "@tanstack/react-query";
import type { Incident } from "@whence/protocol";
import { type JSX, useMemo, useState } from "react";
import { clockTime, fullTime } from "../../../lib/times.ts";
import { incidentTelemetryQuery } from "../api/get-telemetry.ts";
import { plainText } from "../plain-text.ts";
import { axisPosition, axisWindows, distanceText, entriesWithin, usedLanes, usualWindowMs } from "../timeline-axis.ts";
import { type TimelineCenter, timelineCenter } from "../timeline-center.ts";
import { type Happening, timelineEntries } from "../timeline-entries.ts";
import { Citation, Prose } from "./prose.tsx";
import styles from "./timeline.module.css";

const laneNames: Readonly<Record<Happening["kind"], string>> = {
  breadcrumb: "Breadcrumbs",
  error: "Errors",
  deploy: "Deploys",
  heartbeat: "Heartbeats",
  exit: "Exits",
  other: "Other",
};

const entriesListed = 40;

/** What happened, on one axis, and the same as a list. */
export function Timeline({ incident }: { readonly incident: Incident }): JSX.Element {
  const { data: telemetry } = useQuery({
    ...incidentTelemetryQuery(incident.id),
    enabled: incident.service !== null,
  });
  const entries = useMemo(() => timelineEntries(incident.report, telemetry), [incident.report, telemetry]);
  const center = useMemo(() => timelineCenter(entries, incident), [entries, incident]);
  const [chosenMs, setWindow] = useState<number | null>(null);
  const windowMs = chosenMs ?? usualWindowMs(center);
  const seen = entriesWithin(entries, center, windowMs);
  if (entries.length === 0) return <p className={styles.soft}>Nothing is known of what happened when.</p>;
  return (
    <div className={styles.timeline}>
      <fieldset className={styles.windows}>
        <legend>{center.name === "error" ? "Around the error" : "Around the last heartbeat"}</legend>
        {axisWindows.map(({ name, ms }) => (
          <button key={name} type="button" aria-pressed={ms === windowMs} onClick={() => setWindow(ms)}>
            {name}
          </button>
        ))}
      </fieldset>
      <Axis entries={seen} center={center} windowMs={windowMs} />
      <ol className={styles.list}>
        {withoutHeartbeats(seen)
          .slice(0, entriesListed)
          .map((entry) => (
            <li key={`${entry.at} ${entry.kind} ${entry.text}`} data-kind={entry.kind}>
              <time dateTime={entry.at} title={fullTime(entry.at)}>
                {clockTime(entry.at)}
              </time>
              <span className={styles.kind}>{laneNames[entry.kind]}</span>
              <span>
                <Prose text={entry.text} /> {entry.evidenceId === null ? null : <Citation id={entry.evidenceId} />}
              </span>
            </li>
          ))}
      </ol>
    </div>
  );
}

/** A list of heartbeats shows nothing that the axis doesn't. */
function withoutHeartbeats(entries: readonly Happening[]): readonly Happening[] {
  return entries.filter(({ kind }) => kind !== "heartbeat");
}

interface AxisProps {
  readonly entries: readonly Happening[];
  readonly center: TimelineCenter;
  readonly windowMs: number;
}

const laneHeight = 26;
const axisHeight = 22;
const ticks = [-0.5, -0.25, 0, 0.25, 0.5] as const;

function Axis({ entries, center, windowMs }: AxisProps): JSX.Element {
  const used = usedLanes(entries);
  const height = used.length * laneHeight + axisHeight;
  const position = (time: number): string => `${axisPosition(time, center, windowMs)}%`;
  const counts = used.map(
    (lane) => `${entries.filter(({ kind }) => kind === lane).length} ${laneNames[lane].toLowerCase()}`,
  );
  return (
    <div className={styles.axis} role="img" aria-label={`${counts.join(", ")}; the list below has each`}>
      <ul className={styles.names} aria-hidden="true">
        {used.map((lane) => (
          <li key={lane}>{laneNames[lane]}</li>
        ))}
      </ul>
      <svg width="100%" height={height} aria-hidden="true">
        {ticks.map((part) => (
          <g key={part}>
            <line
              x1={position(center.at + part * windowMs)}
              x2={position(center.at + part * windowMs)}
              y1="0"
              y2={height - axisHeight}
              data-tick={part}
            />
            <text
              x={position(center.at + part * windowMs)}
              y={height - 6}
              textAnchor={part === -0.5 ? "start" : part === 0.5 ? "end" : "middle"}
            >
              {part === 0 ? center.name : distanceText(part * windowMs)}
            </text>
          </g>
        ))}
        {entries.map((entry) => (
          <circle
            key={`${entry.at} ${entry.kind} ${entry.text}`}
            cx={position(Date.parse(entry.at))}
            cy={used.indexOf(entry.kind) * laneHeight + laneHeight / 2}
            r={entry.kind === "heartbeat" ? 2.5 : 5}
            data-kind={entry.kind}
          >
            <title>{`${clockTime(entry.at)} ${plainText(entry.text)}`}</title>
          </circle>
        ))}
      </svg>
    </div>
  );
}

import { type Incident, type IncidentTelemetry, minuteMs } from "@whence/protocol";

/** A failure without an event for this long is quiet. */
const quietAfterMs = 15 * minuteMs;
/** Two spans of this length are compared for the trend. */
const trendMs = 15 * minuteMs;
/** How much more or less often counts as a change, and the events below which chance explains any. */
const trendFactor = 1.5;
const trendEventsMin = 5;

/** How a failure is doing. */
export interface Pulse {
  readonly events: number;
  readonly isHappening: boolean;
  /** RFC 3339. */
  readonly lastSeen: string;
  readonly since: string | null;
  /** Null when there are too few events, or none is counted any longer. */
  readonly trend: "rising" | "falling" | "steady" | null;
}

/** Returns how often the failure of an incident occurred, and whether it still does; null for an analysis of a text. */
export function pulseOf(
  { occurrences, report }: Pick<Incident, "occurrences" | "report">,
  telemetry: Pick<IncidentTelemetry, "minutes" | "to"> | undefined,
  now: number,
): Pulse | null {
  const impact = report?.impact;
  const events = Math.max(occurrences?.events ?? 0, impact?.events ?? 0);
  const lastSeen = occurrences?.last_seen ?? impact?.last_seen ?? null;
  if (events === 0 || lastSeen === null) return null;
  return {
    events,
    isHappening: isHappening(lastSeen, now),
    lastSeen,
    since: impact?.first_seen ?? null,
    trend: telemetry === undefined ? null : trendOf(telemetry, now),
  };
}

/** Returns whether a failure had an event so recently that it still happens. */
export function isGoingOn({ minutes }: Pick<IncidentTelemetry, "minutes">, now: number): boolean {
  const last = minutes.at(-1);
  return last !== undefined && now - Date.parse(last.minute) < quietAfterMs;
}

/** Returns whether a failure that was last seen then (RFC 3339) still happens. */
export function isHappening(lastSeen: string, now: number): boolean {
  return now - Date.parse(lastSeen) < quietAfterMs;
}

function trendOf({ minutes, to }: Pick<IncidentTelemetry, "minutes" | "to">, now: number): Pulse["trend"] {
  if (Date.parse(to) < now - minuteMs) return null;
  const within = (from: number, until: number): number =>
    minutes
      .filter(({ minute }) => Date.parse(minute) >= from && Date.parse(minute) < until)
      .reduce((sum, { events }) => sum + events, 0);
  const [before, recent] = [within(now - 2 * trendMs, now - trendMs), within(now - trendMs, now + minuteMs)];
  if (before + recent < trendEventsMin) return null;
  if (recent >= before * trendFactor) return "rising";
  return before >= recent * trendFactor ? "falling" : "steady";
}

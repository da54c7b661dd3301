import type { IncidentTelemetry, Occurrence } from "@whence/protocol";
import type { PlaceCount } from "./impact-bars.ts";

/** Events of a failure by one of their properties, the most frequent first. */
export interface OccurrenceCounts {
  readonly name: string;
  readonly rows: readonly PlaceCount[];
}

/**
 * Returns where the events of a failure happened: by route, host, and release as telemetry counts them around the
 * incident, and by user agent among the listed events.
 */
export function occurrenceCounts(
  telemetry: Pick<IncidentTelemetry, "routes" | "hosts" | "releases"> | undefined,
  listed: readonly Pick<Occurrence, "user_agent">[],
): OccurrenceCounts[] {
  const counts = [
    { name: "Route", rows: telemetry?.routes ?? [] },
    { name: "Host", rows: telemetry?.hosts ?? [] },
    { name: "Release", rows: telemetry?.releases ?? [] },
    { name: "User agent", rows: byName(listed.flatMap(({ user_agent: agent }) => agent ?? [])) },
  ];
  return counts.filter(({ rows }) => rows.length > 0);
}

function byName(names: readonly string[]): PlaceCount[] {
  const groups = [...Map.groupBy(names, (name) => name)];
  return groups.map(([name, { length: events }]) => ({ name, events })).sort((a, b) => b.events - a.events);
}

import type { Metric } from "./requests.ts";

type NumberPoint = NonNullable<Metric["gauge"]>["dataPoints"][number];

/**
 * Returns the points of a gauge or a sum, of each set of attributes the latest one: where a Collector put several
 * exports into one request, they must not be added up.
 */
export function latestPoints({ gauge, sum }: Metric): readonly NumberPoint[] {
  const points = (gauge ?? sum)?.dataPoints ?? [];
  if (points.length < 2) return points;
  const latest = new Map<string, NumberPoint>();
  for (const point of points) {
    const key = JSON.stringify([...point.attributes]);
    const known = latest.get(key);
    if (!known || known.timeUnixNano <= point.timeUnixNano) latest.set(key, point);
  }
  return [...latest.values()];
}

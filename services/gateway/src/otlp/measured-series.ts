import { hash } from "node:crypto";
import { cutText } from "../mapping/bounded-data.ts";
import type { KeptMeasure } from "../telemetry/batch-message.ts";
import type { Attributes } from "./any-value.ts";
import { textOf } from "./attribute.ts";
import { latestPoints } from "./latest-points.ts";
import { otlpLimits } from "./otlp-limits.ts";
import type { Metric } from "./requests.ts";

/** A series to keep. */
export interface SeriesMeasure {
  /** The service that it is about, if the metric names one, rather than its resource. */
  readonly service: string | undefined;
  readonly measure: KeptMeasure;
}

/** A distribution whose number of values is kept, under its names, the stable one first. */
interface Counted {
  readonly kind: "route" | "process";
  readonly metrics: readonly string[];
  readonly nameOf: (attributes: Attributes) => string;
  readonly hasFailed: (attributes: Attributes) => boolean;
}

/** A number that is kept as it is. */
interface Measured {
  readonly kind: "queue" | "restarts";
  readonly metric: string;
  /** Attributes with the name of what it is about. */
  readonly names: readonly string[];
  /** The attribute that names the service. */
  readonly service?: string;
  /** Only points with one of these values count. */
  readonly only?: readonly [name: string, ...values: string[]];
}

const failedFrom = 500;
/** Codes of gRPC that are the server's fault, as the semantic conventions say: by number, or by name. */
const failedCodes: ReadonlySet<string> = new Set([
  "2",
  "4",
  "12",
  "13",
  "14",
  "15",
  "UNKNOWN",
  "DEADLINE_EXCEEDED",
  "UNIMPLEMENTED",
  "INTERNAL",
  "UNAVAILABLE",
  "DATA_LOSS",
]);

const counted: readonly Counted[] = [
  {
    kind: "route",
    metrics: ["http.server.request.duration", "http.server.duration"],
    nameOf: (attributes) => {
      const method = textOf(attributes, "http.request.method", "http.method") ?? "";
      return `${method} ${textOf(attributes, "http.route")?.split("?", 1)[0] ?? ""}`.trim();
    },
    hasFailed: (attributes) => {
      const status = textOf(attributes, "http.response.status_code", "http.status_code");
      return status === undefined ? attributes.has("error.type") : Number(status) >= failedFrom;
    },
  },
  {
    kind: "route",
    metrics: ["rpc.server.call.duration", "rpc.server.duration"],
    nameOf: (attributes) => ["rpc.service", "rpc.method"].flatMap((name) => textOf(attributes, name) ?? []).join("/"),
    hasFailed: (attributes) => {
      const status = textOf(attributes, "rpc.response.status_code", "rpc.grpc.status_code");
      return status === undefined ? attributes.has("error.type") : failedCodes.has(status);
    },
  },
  {
    kind: "process",
    metrics: ["messaging.process.duration"],
    nameOf: (attributes) => textOf(attributes, "messaging.destination.template", "messaging.destination.name") ?? "",
    hasFailed: (attributes) => attributes.has("error.type"),
  },
];

const destination = ["messaging.destination.name", "queue.name", "destination", "topic"] as const;

const measured: readonly Measured[] = [
  { kind: "queue", metric: "messaging.queue.depth", names: destination },
  { kind: "queue", metric: "messaging.consumer.lag", names: destination },
  { kind: "queue", metric: "kafka.consumer.records_lag", names: ["topic"] },
  { kind: "queue", metric: "kafka.consumer_group.lag", names: ["topic"], service: "group" },
  {
    kind: "queue",
    metric: "rabbitmq.message.current",
    names: ["rabbitmq.queue.name"],
    only: ["state", "ready"],
  },
  { kind: "restarts", metric: "k8s.container.restart.count", names: [] },
  { kind: "restarts", metric: "k8s.container.restarts", names: [] },
  { kind: "restarts", metric: "container.restarts", names: [] },
];
const measuredOf: ReadonlyMap<string, Measured> = new Map(measured.map((one) => [one.metric, one]));

/**
 * Attributes of a resource that tell apart what a Collector reports of one service and host: the containers of a pod, and
 * the queues of a broker. `container.id` isn't one of them: it changes when a container restarts.
 */
const apart = [
  "k8s.cluster.name",
  "k8s.namespace.name",
  "k8s.pod.name",
  "k8s.container.name",
  "container.name",
  "kafka.cluster.alias",
  "rabbitmq.node.name",
  "rabbitmq.vhost.name",
] as const;

/** `AggregationTemporality`: counts since the last export. */
const delta = 1;

/** Returns what the metrics of a resource count, those that count failures first. */
export function measuredSeries(resource: Attributes, metrics: readonly Metric[]): readonly SeriesMeasure[] {
  const names = new Set(metrics.map(({ name }) => name));
  const all = metrics.flatMap((metric) => [
    ...counted.flatMap((one) => (nameUsed(one, names) === metric.name ? countsOf(metric, resource, one) : [])),
    ...numbersOf(metric, resource),
  ]);
  return all.toSorted((left, right) => Number(right.measure.failed) - Number(left.measure.failed));
}

/** Whether series of a metric are kept. */
export function isOfSeries({ name }: Metric): boolean {
  return measuredOf.has(name) || counted.some(({ metrics }) => metrics.includes(name));
}

/** Instrumentation may report the same under its stable and under its old name. */
function nameUsed({ metrics }: Counted, names: ReadonlySet<string>): string | undefined {
  return metrics.find((name) => names.has(name));
}

function countsOf(
  metric: Metric,
  resource: Attributes,
  { kind, nameOf, hasFailed }: Counted,
): readonly SeriesMeasure[] {
  const { histogram, exponentialHistogram } = metric;
  const { dataPoints, aggregationTemporality } = histogram ?? exponentialHistogram ?? noPoints;
  const isDelta = aggregationTemporality === delta;
  return dataPoints.flatMap(({ attributes, count, startTimeUnixNano, timeUnixNano }) => {
    // A count that started at 0 is 0 until then.
    if (timeUnixNano === 0 || (count === 0 && startTimeUnixNano > 0)) return [];
    const measure: KeptMeasure = {
      kind,
      name: nameWithin(nameOf(attributes)),
      series: seriesOf(metric, resource, attributes),
      failed: hasFailed(attributes),
      // Compared here, since what is stored has no microseconds: a series may be exported soon after its first value.
      counting: isDelta ? "delta" : startTimeUnixNano === timeUnixNano ? "first" : "total",
      since: isDelta || startTimeUnixNano === 0 ? null : timeText(startTimeUnixNano),
      at: timeText(timeUnixNano),
      value: count,
    };
    return { service: undefined, measure };
  });
}

const noPoints = { dataPoints: [], aggregationTemporality: 0 };

function numbersOf(metric: Metric, resource: Attributes): readonly SeriesMeasure[] {
  const one = measuredOf.get(metric.name);
  if (!one) return [];
  const { kind, names, service, only } = one;
  return latestPoints(metric).flatMap(({ attributes, asInt, asDouble, timeUnixNano }) => {
    const value = asInt ?? asDouble ?? Number.NaN;
    if (!Number.isFinite(value) || value < 0 || timeUnixNano === 0) return [];
    if (only && !only.slice(1).includes(textOf(attributes, only[0]) ?? "")) return [];
    const name = textOf(attributes, ...names) ?? textOf(resource, ...names) ?? "";
    const measure: KeptMeasure = {
      kind,
      name: nameWithin(name),
      series: seriesOf(metric, resource, attributes),
      failed: false,
      counting: kind === "restarts" ? "total" : "gauge",
      since: null,
      at: timeText(timeUnixNano),
      value,
    };
    return { service: service === undefined ? undefined : textOf(attributes, service), measure };
  });
}

function nameWithin(name: string): string {
  return cutText(name, otlpLimits.otlpSeriesNameLengthMax);
}

function seriesOf({ name }: Metric, resource: Attributes, attributes: Attributes): string {
  const sorted = [...attributes].toSorted(([left], [right]) => (left < right ? -1 : 1));
  const of = apart.map((one) => textOf(resource, one) ?? null);
  return hash("sha256", JSON.stringify([name, of, ...sorted])).slice(0, 16);
}

function timeText(ms: number): string {
  return new Date(ms).toISOString();
}

import { Counter, Gauge, Histogram, type Registry } from "prom-client";

/** Why a batch was refused. The list is closed, so that no client can create new series. */
export type RefusalReason =
  | "unknown_key"
  | "revoked_key"
  | "expired_key"
  | "agent_key"
  | "key_scope"
  | "origin"
  | "rate"
  | "quota"
  | "disk_full"
  | "shed_late"
  | "shed_bytes"
  | "shed_requests"
  | "too_large"
  | "type"
  | "corrupt"
  | "invalid"
  | "aborted"
  | "unavailable";

/** The metrics of ingestion. */
export interface GatewayMetrics {
  readonly events: Counter<"outcome">;
  readonly refusedBatches: Counter<"reason">;
  readonly bytes: Counter<"form">;
  readonly duration: Histogram<"status">;
  readonly requestsUnderWay: Gauge;
  readonly bytesUnderWay: Gauge;
  readonly usageFailures: Counter;
  readonly sentryItems: Counter<"type" | "outcome">;
  readonly otlpItems: Counter<"signal" | "outcome">;
}

const durationBucketsSeconds = [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30];

/** Registers the metrics of ingestion. Call it once per registry. */
export function gatewayMetrics(registry: Registry): GatewayMetrics {
  const registers = [registry];
  return {
    events: new Counter({
      name: "whence_telemetry_events_total",
      help: "Events that came: accepted is durable in the queue, rejected was not valid",
      labelNames: ["outcome"],
      registers,
    }),
    refusedBatches: new Counter({
      name: "whence_telemetry_refused_batches_total",
      help: "Batches that were not taken, by reason",
      labelNames: ["reason"],
      registers,
    }),
    bytes: new Counter({
      name: "whence_telemetry_bytes_total",
      help: "Bytes of batches, as they came over the wire and unpacked",
      labelNames: ["form"],
      registers,
    }),
    duration: new Histogram({
      name: "whence_telemetry_request_duration_seconds",
      help: "From a batch's headers to its answer",
      labelNames: ["status"],
      buckets: durationBucketsSeconds,
      registers,
    }),
    requestsUnderWay: new Gauge({
      name: "whence_telemetry_requests_under_way",
      help: "Batches being read or waiting for the queue",
      registers,
    }),
    bytesUnderWay: new Gauge({
      name: "whence_telemetry_bytes_under_way",
      help: "Bytes of batches being read or waiting for the queue",
      registers,
    }),
    sentryItems: new Counter({
      name: "whence_sentry_items_total",
      help: "Items of Sentry's clients, by type and what became of them",
      labelNames: ["type", "outcome"],
      registers,
    }),
    otlpItems: new Counter({
      name: "whence_otlp_items_total",
      help: "Spans, log records, and data points of OpenTelemetry's clients, and what became of them",
      labelNames: ["signal", "outcome"],
      registers,
    }),
    usageFailures: new Counter({
      name: "whence_telemetry_usage_failures_total",
      help: "Times that the usage of an organization could not be recorded; it is tried again",
      registers,
    }),
  };
}

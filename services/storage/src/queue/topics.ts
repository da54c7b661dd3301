import { minuteMs, secondMs } from "@whence/protocol";
import type { Topic } from "./queue.ts";

/** Accepted batches, gateway to writer: one message a batch. */
export const telemetryTopic: Topic = {
  name: "telemetry",
  visibilityTimeoutMs: 30 * secondMs,
  maxAttempts: 20,
  deduplicationWindowMs: 10 * minuteMs,
};

/** Failures that were stored, writer to analyzer: one message per batch that held any. */
export const failuresTopic: Topic = {
  name: "failures",
  takenWhenFull: true,
  visibilityTimeoutMs: 30 * secondMs,
  maxAttempts: 20,
  deduplicationWindowMs: 10 * minuteMs,
};

/** Webhooks that were accepted: one message each. */
export const webhooksTopic: Topic = {
  name: "webhooks",
  visibilityTimeoutMs: 30 * secondMs,
  maxAttempts: 20,
  deduplicationWindowMs: 10 * minuteMs,
};

/** Runs of jobs that clients of Sentry's report, gateway to analyzer: one message each. */
export const checkInsTopic: Topic = {
  name: "check-ins",
  visibilityTimeoutMs: 30 * secondMs,
  maxAttempts: 20,
  deduplicationWindowMs: 10 * minuteMs,
};

/** Incidents to investigate, by id. */
export const investigationsTopic: Topic = {
  name: "investigations",
  takenWhenFull: true,
  visibilityTimeoutMs: 30 * secondMs,
  maxAttempts: 20,
  deduplicationWindowMs: 10 * minuteMs,
};

import { z } from "zod";

/**
 * The failure that a prediction is about, and the time from which observations count (RFC 3339): earlier ones prove
 * nothing.
 */
const failure = { fingerprint: z.string(), service: z.string(), env: z.string(), from: z.string() };

/** Watches for an error: where, when, or with what it occurs again. */
const failureWatches = [
  /** It occurs again in this release. */
  z.object({ kind: z.literal("failure-continues"), ...failure, release: z.string() }),
  /** Releases that ran before this one stay clean. */
  z.object({ kind: z.literal("only-in-release"), ...failure, release: z.string() }),
  /** It stops where another release runs. */
  z.object({ kind: z.literal("stops-with-release"), ...failure, release: z.string() }),
  /** Each event follows a failed call to this host. */
  z.object({ kind: z.literal("only-with-failed-call"), ...failure, upstream: z.string() }),
  /** It stops within minutes once calls to this host succeed again. */
  z.object({ kind: z.literal("stops-with-recovery"), ...failure, upstream: z.string() }),
  z.object({ kind: z.literal("only-on-route"), ...failure, route: z.string() }),
  z.object({ kind: z.literal("only-on-host"), ...failure, host: z.string() }),
  /** Processes of this release that start from now on fail like the others. */
  z.object({ kind: z.literal("restart-keeps"), ...failure, release: z.string() }),
  /** After a restart, the process runs cleanly for about as long as this one did. */
  z.object({ kind: z.literal("restart-clears"), ...failure, instance: z.string() }),
  /** The memory of the service's processes grows from heartbeat to heartbeat. */
  z.object({ kind: z.literal("memory-climbs"), ...failure }),
] as const;

/**
 * Watches for a process exit, whose fingerprint no event has: what happens to the process, and to those that follow it.
 */
const exitWatches = [
  /** The main thread of this process sends no heartbeat. */
  z.object({ kind: z.literal("stays-down"), ...failure, instance: z.string() }),
  /** One of these processes reports again, so it never ended. */
  z.object({ kind: z.literal("heard-again"), ...failure, instances: z.array(z.string()).min(1) }),
  /** A process that starts from now on stops reporting before this age. */
  z.object({ kind: z.literal("exits-again"), ...failure, within_ms: z.number(), exit_after_ms: z.number() }),
  /** The memory of a process grows as it did before this exit, over as many heartbeats. */
  z.object({ kind: z.literal("memory-climbs-again"), ...failure, bytes_per_minute: z.number(), beats: z.int() }),
] as const;

/**
 * What the telemetry must show, in a form that a machine can check. The list is closed. `docs/accuracy.md` has the
 * rules by which each kind is upheld or refuted.
 */
export const watchSchema = z.discriminatedUnion("kind", [...failureWatches, ...exitWatches]);
export type Watch = z.infer<typeof watchSchema>;
export type ExitPrediction = z.infer<(typeof exitWatches)[number]>;
export type FailureWatch = z.infer<(typeof failureWatches)[number]>;

export const predictionOutcomes = ["open", "upheld", "refuted"] as const;
export type PredictionOutcome = (typeof predictionOutcomes)[number];

/** What the service observed of a prediction, and when. */
export const predictionResultSchema = z.object({
  at: z.string(),
  /** Why the prediction is upheld, refuted, or undecided. */
  reason: z.string(),
  /** Counts, by name. */
  counts: z.record(z.string(), z.number()),
  /** One of the observations, quoted; null when the counts say everything. */
  excerpt: z.string().nullable(),
});
export type PredictionResult = z.infer<typeof predictionResultSchema>;

/** A prediction: what must be observed next if the report is right. */
export const predictionSchema = z.object({
  statement: z.string(),
  /** How a person can check it. */
  check: z.string(),
  /** What would be observed instead if the report is wrong. */
  refuted_by: z.string(),
  /** The rank of the candidate that predicts otherwise, so that the result tells the two apart. */
  tells_apart_from: z.int().min(2).optional(),
  /** What the service itself watches for. Absent when only a person can tell. */
  watch: watchSchema.optional(),
  /** When the watch ends; null when any check decides it. */
  due: z.string().nullable(),
  /** `open` with a `result` means that the telemetry couldn't decide it by `due`, and won't. */
  outcome: z.enum(predictionOutcomes),
  /** Absent until the service has observed enough, or `due` has passed. */
  result: predictionResultSchema.optional(),
});
export type Prediction = z.infer<typeof predictionSchema>;

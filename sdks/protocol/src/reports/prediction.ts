import { z } from "zod";

/** The failure that a prediction is about, and since when it counts: what was known before proves nothing. RFC 3339. */
const failure = { fingerprint: z.string(), service: z.string(), env: z.string(), from: z.string() };

/** Of an error: where, when or with what it comes again. */
const failureWatches = [
  /** It comes again in this release. */
  z.object({ kind: z.literal("failure-continues"), ...failure, release: z.string() }),
  /** Releases that ran before this one stay clean. */
  z.object({ kind: z.literal("only-in-release"), ...failure, release: z.string() }),
  /** It ends where another release runs. */
  z.object({ kind: z.literal("stops-with-release"), ...failure, release: z.string() }),
  /** Each event has a failed call to this host shortly before. */
  z.object({ kind: z.literal("only-with-failed-call"), ...failure, upstream: z.string() }),
  /** It ends within minutes once calls to this host succeed again. */
  z.object({ kind: z.literal("stops-with-recovery"), ...failure, upstream: z.string() }),
  z.object({ kind: z.literal("only-on-route"), ...failure, route: z.string() }),
  z.object({ kind: z.literal("only-on-host"), ...failure, host: z.string() }),
  /** Processes of this release that are started from now on fail like the others. */
  z.object({ kind: z.literal("restart-keeps"), ...failure, release: z.string() }),
  /** After a restart, the process runs cleanly for about as long as this one did. */
  z.object({ kind: z.literal("restart-clears"), ...failure, instance: z.string() }),
  /** The memory of the service's processes climbs from heartbeat to heartbeat. */
  z.object({ kind: z.literal("memory-climbs"), ...failure }),
] as const;

/** Of a silent death, whose fingerprint no event has: what becomes of the process, and of those that follow it. */
const deathWatches = [
  /** The main thread of this process stays silent. */
  z.object({ kind: z.literal("stays-silent"), ...failure, instance: z.string() }),
  /** One of these processes reports again: it was never dead. */
  z.object({ kind: z.literal("heard-again"), ...failure, instances: z.array(z.string()).min(1) }),
  /** A process that starts from now on stops reporting before this age. */
  z.object({ kind: z.literal("dies-again"), ...failure, within_ms: z.number(), silent_after_ms: z.number() }),
  /** The memory of a process climbs as it did before this death, over as many heartbeats. */
  z.object({ kind: z.literal("memory-climbs-again"), ...failure, bytes_per_minute: z.number(), beats: z.int() }),
] as const;

/**
 * What the telemetry must show, in a form that a machine can check. Closed. The rules by which each kind is upheld or
 * refuted are in `docs/accuracy.md`.
 */
export const watchSchema = z.discriminatedUnion("kind", [...failureWatches, ...deathWatches]);
export type Watch = z.infer<typeof watchSchema>;
export type ExitPrediction = z.infer<(typeof deathWatches)[number]>;
export type FailureWatch = z.infer<(typeof failureWatches)[number]>;

export const predictionOutcomes = ["open", "upheld", "refuted"] as const;
export type PredictionOutcome = (typeof predictionOutcomes)[number];

/** What the service saw of a prediction, and when. */
export const predictionResultSchema = z.object({
  at: z.string(),
  /** Why it is upheld, refuted, or undecided. */
  reason: z.string(),
  /** What was counted, by name. */
  counts: z.record(z.string(), z.number()),
  /** One of the things seen, quoted; null when it is all in the counts. */
  excerpt: z.string().nullable(),
});
export type PredictionResult = z.infer<typeof predictionResultSchema>;

/** What must be seen next if the report is right. */
export const predictionSchema = z.object({
  statement: z.string(),
  /** How a person can check it. */
  check: z.string(),
  /** What would be seen instead if the report is wrong. */
  refuted_by: z.string(),
  /** The rank of the candidate that would not predict this: what comes tells the two apart. */
  tells_apart_from: z.int().min(2).optional(),
  /** What the service itself looks for. Absent: only a person can tell. */
  watch: watchSchema.optional(),
  /** When it ends; null: at any check. */
  due: z.string().nullable(),
  /** `open` with a `result` is what the telemetry could not tell by `due`; it stays so. */
  outcome: z.enum(predictionOutcomes),
  /** Absent until the service has seen enough, or `due` has passed. */
  result: predictionResultSchema.optional(),
});
export type Prediction = z.infer<typeof predictionSchema>;

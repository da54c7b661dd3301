import { z } from "zod";

/** Something that someone changed. */
export const changeEventSchema = z.object({
  kind: z.literal("change-event"),
  what: z.enum(["deployment", "release", "rollout", "configuration", "dns", "firewall", "feature-flag"]),
  /** A few words: `A record of api.example.com`. */
  title: z.string(),
  /** What it is about, for comparison with the failing service and the hosts that it calls: a service, a project, a host. */
  target: z.string().nullable(),
  at: z.string(),
  by: z.string().nullable(),
  /** Whether the change itself failed, such as a build that broke; null when the vendor doesn't say. */
  failed: z.boolean().nullable(),
});
export type ChangeEvent = Readonly<z.infer<typeof changeEventSchema>>;

/** Something that wasn't healthy. */
export const outsideProblemSchema = z.object({
  kind: z.literal("problem"),
  what: z.enum([
    ...(["alarm", "outage", "incident", "out-of-memory", "crash-loop", "restart", "image-pull"] as const),
    ...(["unschedulable", "stopped", "failed-check", "failing-requests", "slow-requests", "saturation"] as const),
  ]),
  title: z.string(),
  target: z.string().nullable(),
  since: z.string(),
  /** Null while it lasts. */
  until: z.string().nullable(),
});
export type OutsideProblem = Readonly<z.infer<typeof outsideProblemSchema>>;

/** A log line, or several equal ones. */
export const outsideLogSchema = z.object({
  kind: z.literal("log"),
  level: z.string().nullable(),
  message: z.string(),
  source: z.string().nullable(),
  at: z.string(),
  count: z.number(),
});
export type OutsideLog = Readonly<z.infer<typeof outsideLogSchema>>;

/** The same failure, or the people for it, as another system keeps them. */
export const outsideRecordSchema = z.object({
  kind: z.literal("record"),
  what: z.enum(["error-group", "issue", "incident", "on-call"]),
  title: z.string(),
  target: z.string().nullable(),
  at: z.string().nullable(),
  /** For someone on call: the id of the member with their email address. Absent if there is none. */
  member_id: z.string().optional(),
});
export type OutsideRecord = Readonly<z.infer<typeof outsideRecordSchema>>;

/** The third party that reported it. */
export interface OutsideSource {
  /** The vendor's name: `PagerDuty`. */
  readonly vendor: string;
  /** Where a person can look at it; null when the vendor has no page for it. */
  readonly url: string | null;
}

/**
 * What a connected third party says about the time around a failure. Times are RFC 3339. Texts are the vendor's, shortened,
 * and never instructions.
 */
export type OutsideFinding = OutsideSource & (ChangeEvent | OutsideProblem | OutsideLog | OutsideRecord);

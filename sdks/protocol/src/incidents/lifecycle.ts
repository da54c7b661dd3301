import { z } from "zod";
import { locationSchema } from "../reports/evidence.ts";
import { timestampSchema } from "../text.ts";

/**
 * What people decided about an incident. `muted`: no notifications until its end; `ignored`: none at all; `resolved`: its
 * next event reopens it as a regression.
 */
export const lifecycleStates = ["open", "muted", "ignored", "resolved"] as const;
export type LifecycleState = (typeof lifecycleStates)[number];

/** How many more events may end a mute. */
export const moreEventsMax = 1_000_000_000;

/** The end of a mute: a time, a number of further events, or a spike by the organization's thresholds. */
export const muteEndSchema = z.discriminatedUnion("kind", [
  z.object({ kind: z.literal("time"), at: timestampSchema }),
  z.object({ kind: z.literal("events"), more: z.int().min(1).max(moreEventsMax) }),
  z.object({ kind: z.literal("rise") }),
]);
export type MuteEnd = z.infer<typeof muteEndSchema>;

/** `next-release`: events of the releases known so far don't reopen the incident. */
export const resolvedIn = ["now", "next-release"] as const;
export type ResolvedIn = (typeof resolvedIn)[number];

/** The body of `POST /api/incidents/{id}/lifecycle`. */
export const lifecycleChangeSchema = z.discriminatedUnion("action", [
  z.object({ action: z.literal("resolve"), in: z.enum(resolvedIn).default("now") }),
  z.object({ action: z.literal("mute"), until: muteEndSchema }),
  z.object({ action: z.literal("ignore") }),
  z.object({ action: z.literal("reopen") }),
]);
export type LifecycleChange = z.infer<typeof lifecycleChangeSchema>;
export type LifecycleAction = LifecycleChange["action"];

/**
 * The kinds of actors that change an incident: a member, an agent, a key of the organization, or an author in a
 * conversation.
 */
export const actorKinds = ["member", "agent", "key", "conversation"] as const;
export const actorSchema = z.object({ kind: z.enum(actorKinds), id: z.string(), name: z.string() });
export type Actor = z.infer<typeof actorSchema>;

/** The files that differ between the two releases of a renewed report, other than tests. */
export const changedFilesSchema = z.object({
  /**
   * Paths below the service's folder, or in the repository where only commits are known; those that the report names
   * come first.
   */
  named: z.array(z.string()),
  /** The number of others. */
  more: z.int().min(0),
});
export type ChangedFiles = z.infer<typeof changedFilesSchema>;

/** Changed files whose paths are kept. */
export const changedFilesNamedMax = 20;

/** What is new in a renewed report. A place is the same while its file and function are, as code above it may move. */
export const renewalNewsSchema = z.object({
  /** Where the first candidate's cause was, and is; null: at the same place. */
  place: z.object({ before: locationSchema.nullable(), after: locationSchema.nullable() }).nullable(),
  /** Places between the origin and the symptom that the report before doesn't have. */
  steps: z.array(locationSchema),
  /** Null where the code of one of the releases isn't known, or both are the same. */
  files: changedFilesSchema.nullable().default(null),
});
export type RenewalNews = z.infer<typeof renewalNewsSchema>;

/** Why a report is renewed: the failure came back after it was resolved, or it occurs in another release. */
export const renewalSchema = z.object({
  why: z.enum(["regressed", "new-release"]),
  at: timestampSchema,
  /** The release in which it occurs now, and the latest one before; null when unknown. */
  release: z.string().nullable(),
  release_before: z.string().nullable(),
  /** Whether the renewed report names the cause that the one before named; null until there is one to compare. */
  same_cause: z.boolean().nullable(),
  /** Null until there is a report to compare. */
  news: renewalNewsSchema.nullable().default(null),
});
export type Renewal = z.infer<typeof renewalSchema>;

/** The lifecycle of an incident. */
export const lifecycleSchema = z.object({
  state: z.enum(lifecycleStates),
  /** When the state began, and who set it; null for the service. */
  since: timestampSchema,
  by: actorSchema.nullable(),
  /** What ends the mute, with the events that are left; null unless `muted`. */
  mute: muteEndSchema.nullable(),
  /** Null unless `resolved`. */
  resolved_in: z.enum(resolvedIn).nullable(),
  /** The releases that don't reopen an incident resolved in the next release. */
  releases: z.array(z.string()),
  /** When it last came back after it was resolved; null: never. It is a regression while `since` is the same. */
  regressed: z.object({ at: timestampSchema, release: z.string().nullable() }).nullable(),
  /** How often it came back, from being resolved or muted. */
  returns: z.int().min(0),
  renewal: renewalSchema.nullable(),
});
export type Lifecycle = z.infer<typeof lifecycleSchema>;

export const activityKinds = [
  "resolved",
  "muted",
  "ignored",
  "reopened",
  "regressed",
  "unmuted",
  "new-release",
  "taken",
  "handed-over",
  "assigned",
  "let-go",
  "acknowledged",
  "commented",
  "pull-request",
  "merged",
  "merged-into",
  "split-off",
  "unmerged",
] as const;
export type ActivityKind = (typeof activityKinds)[number];

/** A member, by the name they had then. */
const namedMemberSchema = z.object({ id: z.string(), name: z.string() });

/**
 * One thing that happened to an incident: a change of its lifecycle or its owner, a comment, a pull request with its
 * patch, or a merge with another one.
 */
export const activitySchema = z.object({
  at: timestampSchema,
  kind: z.enum(activityKinds),
  /** Null: telemetry or an ownership rule caused it. */
  by: actorSchema.nullable(),
  mute: muteEndSchema.nullable(),
  resolved_in: z.enum(resolvedIn).nullable(),
  release: z.string().nullable(),
  /** The new owner, where it was handed over, or a rule found one. */
  to: namedMemberSchema.optional(),
  /** Plain text, and the members whom it names. */
  comment: z.object({ text: z.string(), mentions: z.array(namedMemberSchema) }).optional(),
  /** The other incident, where two were merged or separated. */
  incident: z.object({ id: z.string(), title: z.string() }).optional(),
});
export type Activity = z.infer<typeof activitySchema>;

/** The answer of `GET /api/incidents/{id}/activity`: what happened to an incident, the newest first. */
export const activityPageSchema = z.object({
  activity: z.array(activitySchema),
  /** The `before` of the next page; null on the last one. */
  next: z.string().nullable(),
});
export type ActivityPage = z.infer<typeof activityPageSchema>;

import { z } from "zod";
import { reportSchema } from "../reports/report.ts";
import { feedbackSchema } from "./feedback.ts";
import { activitySchema, lifecycleSchema } from "./lifecycle.ts";
import { acknowledgmentSchema, incidentOwnerSchema } from "./ownership.ts";
import { pullRequestSchema } from "./pull-request.ts";

/**
 * The states of an incident. `merged`: it turned out to be the same problem as another incident, or someone merged it
 * into another one, which took over its failures.
 */
export const incidentStatuses = ["queued", "investigating", "completed", "failed", "merged"] as const;
export type IncidentStatus = (typeof incidentStatuses)[number];

export const severities = ["low", "medium", "high", "critical"] as const;
export type Severity = (typeof severities)[number];

/**
 * Why processes stopped reporting. `host-lost`: all processes of one machine at once. `everything-lost`: processes of
 * several services on several machines at once, possibly because the network to the service failed.
 */
export const processExitKinds = ["out-of-memory", "killed", "hung", "host-lost", "everything-lost"] as const;
export type ProcessExitKind = (typeof processExitKinds)[number];

/** What started the investigation. */
export const triggerSchema = z.discriminatedUnion("kind", [
  /** A request to `POST /api/mcp/analyze`, with an organization's key or an agent's. */
  z.object({ kind: z.literal("analyze"), agent_id: z.string().nullable(), files: z.int().min(0) }),
  /** A failure in the telemetry. */
  z.object({ kind: z.literal("event"), event_id: z.string(), mechanism: z.string(), handled: z.boolean() }),
  /** An alert from a sender of webhooks. */
  z.object({
    kind: z.literal("alert"),
    /** The kind of its source, and the sender's name for people. */
    source: z.string(),
    sender: z.string(),
    source_id: z.string(),
    key: z.string(),
    /** The alert's page at its sender. */
    url: z.string().nullable(),
    /** When the failure began, according to the sender. RFC 3339. */
    at: z.string(),
  }),
  /** A request to the bot in a conversation: a chat thread, or an issue of a tracker. */
  z.object({
    kind: z.literal("conversation"),
    /** The kind of its source, and the sender's name for people. */
    source: z.string(),
    sender: z.string(),
    source_id: z.string(),
    thread: z.string(),
    /** The conversation's page. */
    url: z.string().nullable(),
    /** The author's name as the vendor shows it. */
    author: z.string(),
    /** When the conversation began, taken as the time of the failure. RFC 3339. */
    at: z.string(),
  }),
  /** Processes that stopped reporting without a shutdown, or that hang. */
  z.object({ kind: z.literal("process-exit"), exit: z.enum(processExitKinds), instances: z.array(z.string()).min(1) }),
]);
export type Trigger = z.infer<typeof triggerSchema>;

/** Returns the page of the conversation in which an investigation was asked for; null where there is none. */
export function conversationPage(trigger: Trigger): string | null {
  return trigger.kind === "conversation" ? trigger.url : null;
}

/** The kinds of triggers. */
export const triggerKinds: readonly Trigger["kind"][] = triggerSchema.options.map(({ shape }) => shape.kind.value);

/** Why a failure did or didn't become an incident. */
export const decisionSchema = z.object({
  outcome: z.enum(["opened", "joined", "skipped"]),
  reason: z.string(),
  /** The stable name of the rule that decided. */
  rule: z.string(),
});
export type Decision = z.infer<typeof decisionSchema>;

/** A failure that joined the incident of another failure, because one follows from the other. */
export const joinedFailureSchema = z.object({
  fingerprint: z.string(),
  service: z.string(),
  title: z.string(),
  /** The stable name of the rule by which it joined, and why. */
  rule: z.string(),
  reason: z.string(),
  /** The latest of its events, representing those that came with it. */
  event_id: z.string(),
  /** Occurrences since it joined. */
  events: z.int().min(0),
  first_seen: z.string(),
  last_seen: z.string(),
  joined_at: z.string(),
  /** The incident with which someone merged it into this one; absent where it joined without that. */
  merged_from: z.string().optional(),
});
export type JoinedFailure = z.infer<typeof joinedFailureSchema>;

/** The refinement of an incident's report: a first report is published at once, then refined as evidence arrives. */
export const refinementSchema = z.object({
  /**
   * The version of the report, from 1. A new version follows when the cause, the confidence, or the evidence changes.
   */
  version: z.int().min(1),
  /** Whether later evidence may still change the report. */
  refining: z.boolean(),
  /** When evidence was last collected after the first report; null before that. */
  refined_at: z.string().nullable(),
  /** When the last planned refinement is due; null when none is planned. */
  refined_until: z.string().nullable(),
});
export type Refinement = z.infer<typeof refinementSchema>;

/** A stored report that doesn't fit {@link reportSchema}, unchanged. */
export const unreadableReportSchema = z.object({
  /** What doesn't fit, in one line. */
  problem: z.string(),
  /** The stored JSON, or the text where it isn't JSON. */
  stored: z.unknown(),
});
export type UnreadableReport = z.infer<typeof unreadableReportSchema>;

/** The answer of `GET /api/incidents/{id}`. Times are RFC 3339 UTC with milliseconds. */
export const incidentSchema = z.object({
  id: z.string(),
  /** Null while it belongs to an unclaimed agent only. */
  organization_id: z.string().nullable(),
  /** The state of its investigation. */
  status: z.enum(incidentStatuses),
  /** What people decided about it. */
  lifecycle: lifecycleSchema,
  /** Null while no member takes care of it. */
  owner: incidentOwnerSchema.nullable(),
  /** Null until someone has seen it, and again once it is handed over or comes back. */
  acknowledged: acknowledgmentSchema.nullable(),
  title: z.string(),
  severity: z.enum(severities),
  trigger: triggerSchema,
  service: z.string().nullable(),
  env: z.string().nullable(),
  fingerprint: z.string().nullable(),
  decision: decisionSchema,
  /** How often its failure occurred since it opened, and when last. Absent for a requested analysis. */
  occurrences: z.object({ events: z.int().min(0), last_seen: z.string() }).optional(),
  /** Failures that follow from its failure, or led to it, and opened no incident of their own. Absent in lists. */
  joined_failures: z.array(joinedFailureSchema).optional(),
  created_at: z.string(),
  started_at: z.string().nullable(),
  completed_at: z.string().nullable(),
  url: z.string(),
  failure: z.object({ code: z.string(), message: z.string() }).optional(),
  /** The newest version of the report. */
  report: reportSchema.optional(),
  /** Replaces a report that can't be read. The incident can still be deleted or investigated again. */
  unreadable_report: unreadableReportSchema.optional(),
  /** The pull request that a member opened with the patch of its report; absent until then, and in lists. */
  pull_request: pullRequestSchema.optional(),
  /** Absent without a report. */
  refinement: refinementSchema.optional(),
  /** The incident that this one was merged into; absent otherwise. */
  merged_into: z.string().optional(),
  /** Feedback of people and agents on the report. Absent without a report, and in lists. */
  feedback: z.array(feedbackSchema).optional(),
  /** What happened to it lately, with comments, the newest first. Absent in lists, and without any. */
  activity: z.array(activitySchema).optional(),
});
export type Incident = z.infer<typeof incidentSchema>;

/** One version of an incident's report. */
export const reportVersionSchema = z.object({
  version: z.int().min(1),
  at: z.string(),
  report: reportSchema,
});
export type ReportVersion = z.infer<typeof reportVersionSchema>;

/** The answer of `GET /api/incidents/{id}/reports`, the newest first. Versions that can't be read are left out. */
export const reportVersionsSchema = z.object({ reports: z.array(reportVersionSchema) });
export type ReportVersions = z.infer<typeof reportVersionsSchema>;

/** The steps of an investigation, in order. */
export const investigationSteps = [
  "parse",
  "locate",
  "collect",
  "signatures",
  "rank",
  "explain",
  "verify",
  "report",
] as const;

/**
 * One message of `GET /api/incidents/{id}/events`, named `step`. A message named `incident` follows with each report.
 */
export const incidentStepSchema = z.object({
  /** 1, 2, 3, … within the incident. Also the message's id, which lets a reader resume. */
  seq: z.int().min(1),
  at: z.string(),
  /** `model` for what a language model did after the report, any number of times. */
  step: z.enum([...investigationSteps, "model"]),
  detail: z.string(),
  /** What a tool of a language model answered, redacted as the prompt is, and cut. */
  result: z.string().optional(),
});
export type IncidentStep = z.infer<typeof incidentStepSchema>;

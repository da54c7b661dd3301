import { z } from "zod";
import { reportSchema } from "../reports/report.ts";
import { alertSourceKindSchema } from "../settings/alert-source.ts";
import { feedbackSchema } from "./feedback.ts";

/** `merged`: it turned out to be the same problem as another incident, which has its failures now. */
export const incidentStatuses = ["queued", "investigating", "completed", "failed", "merged"] as const;
export type IncidentStatus = (typeof incidentStatuses)[number];

export const severities = ["low", "medium", "high", "critical"] as const;
export type Severity = (typeof severities)[number];

/**
 * Why processes stopped reporting, as far as is known. `host-lost`: all of one machine at once; `everything-silent`: of
 * several services on several machines at once, which may be the network between them and the service.
 */
export const processExitKinds = ["out-of-memory", "killed", "hung", "host-lost", "everything-silent"] as const;
export type ProcessExitKind = (typeof processExitKinds)[number];

/** What started the analysis. */
export const triggerSchema = z.discriminatedUnion("kind", [
  /** `POST /api/mcp/analyze`, by an organization's key or an agent's. */
  z.object({ kind: z.literal("analyze"), agent_id: z.string().nullable(), files: z.int().min(0) }),
  /** A failure in the telemetry. */
  z.object({ kind: z.literal("event"), event_id: z.string(), mechanism: z.string(), handled: z.boolean() }),
  /** A sender of webhooks that announced a failure. */
  z.object({
    ...{ kind: z.literal("alert"), source: alertSourceKindSchema, source_id: z.string(), key: z.string() },
    /** Where people find the alert at its sender. */
    url: z.string().nullable(),
    /** When the failure began, as the sender says. RFC 3339. */
    at: z.string(),
  }),
  /** Someone who asked the bot in a conversation: in a thread of a chat, on an issue of a tracker. */
  z.object({
    ...{ kind: z.literal("conversation"), source: alertSourceKindSchema, source_id: z.string(), thread: z.string() },
    /** Where people find the conversation. */
    url: z.string().nullable(),
    /** As the vendor shows them. */
    author: z.string(),
    /** When the conversation began, which is when the failure was announced. RFC 3339. */
    at: z.string(),
  }),
  /** Processes that stopped reporting without a shutdown, or that hang. */
  z.object({ kind: z.literal("silence"), death: z.enum(processExitKinds), instances: z.array(z.string()).min(1) }),
]);
export type Trigger = z.infer<typeof triggerSchema>;

/** Why a failure did, or did not, become an incident. */
export const decisionSchema = z.object({
  outcome: z.enum(["opened", "joined", "skipped"]),
  reason: z.string(),
  /** Stable name of the rule that decided. */
  rule: z.string(),
});
export type Decision = z.infer<typeof decisionSchema>;

/** A failure that counts on an incident which another failure opened, since the one follows from the other. */
export const joinedFailureSchema = z.object({
  fingerprint: z.string(),
  service: z.string(),
  title: z.string(),
  /** Stable name of the rule by which it joined, and why. */
  rule: z.string(),
  reason: z.string(),
  /** The latest of its events that stands for those which came with it. */
  event_id: z.string(),
  /** Occurrences since it joined. */
  events: z.int().min(0),
  first_seen: z.string(),
  last_seen: z.string(),
  joined_at: z.string(),
});
export type JoinedFailure = z.infer<typeof joinedFailureSchema>;

/** How far the report of an incident has come: what is known is reported at once, and refined as evidence arrives. */
export const refinementSchema = z.object({
  /** Of the report, from 1. A version follows when the cause, the confidence or the evidence changes. */
  version: z.int().min(1),
  /** Whether later evidence may still change the report. */
  refining: z.boolean(),
  /** When evidence was last looked for after the first report; null before that. */
  refined_at: z.string().nullable(),
  /** When the last planned look is due; null when none is planned. */
  refined_until: z.string().nullable(),
});
export type Refinement = z.infer<typeof refinementSchema>;

/** A stored report that doesn't fit {@link reportSchema}, as it is. */
export const unreadableReportSchema = z.object({
  /** What doesn't fit, in a line. */
  problem: z.string(),
  /** The stored JSON; the text itself where it isn't JSON. */
  stored: z.unknown(),
});
export type UnreadableReport = z.infer<typeof unreadableReportSchema>;

/** The answer of `GET /api/incidents/{id}`. Times are RFC 3339 UTC with milliseconds. */
export const incidentSchema = z.object({
  id: z.string(),
  /** Null while it belongs to an unclaimed agent alone. */
  organization_id: z.string().nullable(),
  status: z.enum(incidentStatuses),
  title: z.string(),
  severity: z.enum(severities),
  trigger: triggerSchema,
  service: z.string().nullable(),
  env: z.string().nullable(),
  fingerprint: z.string().nullable(),
  decision: decisionSchema,
  /** How often its failure came since it opened, and when last. Absent for an analysis that was asked for. */
  occurrences: z.object({ events: z.int().min(0), last_seen: z.string() }).optional(),
  /** What follows from its failure, or led to it, and opened no incident of its own. Absent in lists. */
  joined_failures: z.array(joinedFailureSchema).optional(),
  created_at: z.string(),
  started_at: z.string().nullable(),
  completed_at: z.string().nullable(),
  url: z.string(),
  failure: z.object({ code: z.string(), message: z.string() }).optional(),
  /** The newest version. */
  report: reportSchema.optional(),
  /** In place of a report that can't be read. The incident can still be deleted, or investigated again. */
  unreadable_report: unreadableReportSchema.optional(),
  /** Absent where there is no report. */
  refinement: refinementSchema.optional(),
  /** The incident that this one was merged into. Absent unless it was. */
  merged_into: z.string().optional(),
  /** What people and agents say of the report. Absent where there is no report, and in lists. */
  feedback: z.array(feedbackSchema).optional(),
});
export type Incident = z.infer<typeof incidentSchema>;

/** One version of an incident's report, as it was written. */
export const reportVersionSchema = z.object({
  version: z.int().min(1),
  at: z.string(),
  report: reportSchema,
});
export type ReportVersion = z.infer<typeof reportVersionSchema>;

/** The answer of `GET /api/incidents/{id}/reports`, the newest first, without those that can't be read. */
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

/** One message of `GET /api/incidents/{id}/events`, named `step`; a message named `incident` comes with each report. */
export const incidentStepSchema = z.object({
  /** 1, 2, 3, … within the incident: also the message's id, so that a reader can resume. */
  seq: z.int().min(1),
  at: z.string(),
  step: z.enum(investigationSteps),
  detail: z.string(),
});
export type IncidentStep = z.infer<typeof incidentStepSchema>;

import { z } from "zod";
import { agentStatusSchema } from "../access/agent.ts";
import { keyScopeSchema } from "../access/key-scope.ts";
import { limits } from "../limits.ts";
import { timestampSchema } from "../text.ts";
import { integrationKindNames } from "./integration-kinds.ts";

const nameLengthMax = 200;
/** Some thousand words: what an organization wants every analysis to know. */
export const instructionsLengthMax = 20_000;

export const personSchema = z.object({ id: z.string(), name: z.string() });

/** One state of an organization's custom instructions. Version 0, empty and without an author, is before the first. */
export const instructionsSchema = z.object({
  version: z.int().min(0),
  text: z.string().max(instructionsLengthMax),
  changed_at: timestampSchema.nullable(),
  changed_by: personSchema.nullable(),
});
export type Instructions = z.infer<typeof instructionsSchema>;

/**
 * What an owner writes, and which version they saw: of two who write at once, the second is refused, not the first
 * overwritten.
 */
export const instructionsChangeSchema = z.object({
  text: z.string().max(instructionsLengthMax),
  version: z.int().min(0),
});

/** The answer of `GET /api/instructions/history`: the newest first. */
export const instructionsHistorySchema = z.object({ versions: z.array(instructionsSchema) });

/** An API key as its organization lists it: never the key itself. */
export const apiKeySchema = z.object({
  key_id: z.string(),
  name: z.string(),
  /** How it begins. */
  prefix: z.string(),
  /** What it may do: one scope, or those of every agent's key. */
  scopes: z.array(keyScopeSchema),
  created_at: timestampSchema,
  revoked_at: timestampSchema.nullable(),
  /** To within five minutes; null when it was not used yet. */
  last_used_at: timestampSchema.nullable(),
  /** Whose key it is when it is an agent's. */
  agent_id: z.string().nullable(),
});
export type ApiKey = z.infer<typeof apiKeySchema>;

const keyNameLengthMax = 100;

/** The body of `POST /api/keys`. */
export const newApiKeySchema = z.object({ name: z.string().min(1).max(keyNameLengthMax), scope: keyScopeSchema });

/** Its answer: the only time that the key is shown. */
export const createdApiKeySchema = z.object({
  key_id: z.string(),
  name: z.string(),
  scope: keyScopeSchema,
  api_key: z.string(),
});
export type CreatedApiKey = z.infer<typeof createdApiKeySchema>;

/** As the event store: rows of the far future are dropped at once. */
const retentionDaysMax = 3_650;

/** What an owner decides; null: as the service has it. */
export const organizationSettingsSchema = z.object({
  retention_days: z.int().min(1).max(retentionDaysMax).nullable(),
  events_per_day: z.int().min(1).nullable(),
  /** What the texts and files of analyses may take of the disk, compressed. */
  input_bytes_max: z.int().min(limits.organizationInputBytesMin).nullable(),
});

/** The body of `PUT /api/organization`: all settings, since what is put replaces what was. */
export const organizationChangeSchema = z.object({ settings: organizationSettingsSchema });

/** The answer of `GET` and `PUT /api/organization`. */
export const organizationSchema = z.object({
  id: z.string(),
  name: z.string(),
  settings: organizationSettingsSchema,
  /** Events accepted on the day (UTC) so far, and what stored inputs of analyses take of the disk. */
  usage: z.object({ day: z.iso.date(), events: z.int().min(0), input_bytes: z.int().min(0) }),
});
export type Organization = z.infer<typeof organizationSchema>;

/** An integration as its organization sees it: never a credential. */
export const integrationSchema = z.object({
  kind: z.enum(integrationKindNames),
  /** As people know it: `PagerDuty`. */
  vendor: z.string(),
  /** What the credentials belong to, as the vendor says: an account, an organization, a cluster. */
  belongs_to: z.string(),
  /** What is shown again of the inputs. */
  inputs: z.record(z.string(), z.string()),
  /** Names of the inputs that are stored encrypted. */
  credentials: z.array(z.string()),
  connected_at: timestampSchema,
  connected_by: personSchema,
  /** When it last answered, asked about a failure or whether its credentials work; null when it hasn't yet. */
  answered_at: timestampSchema.nullable(),
  /** When it last gave nothing, and why; null when it always answered. */
  failed: z.object({ at: timestampSchema, reason: z.string() }).nullable(),
  /** Findings that it gave to investigations since it was connected. */
  findings: z.int().min(0),
});
export type Integration = z.infer<typeof integrationSchema>;

/** A kind of integration that this service has code for, and what is connected of it. */
export const offeredIntegrationSchema = z.object({
  kind: z.enum(integrationKindNames),
  /** Whom this kind connects: one of them, told apart by what is entered. */
  vendors: z.array(
    z.object({
      name: z.string(),
      /** What its code was tested against: a server or recordings that someone else made, or a double of our own. */
      checked_against: z.string(),
      /** Its page of the documentation, a path on this service. */
      documentation: z.string(),
    }),
  ),
  /** Whether the operator has configured the application that people authorize; null for kinds without one. */
  authorization: z.enum(["configured", "not configured"]).nullable(),
  /** Null until an owner connects it. */
  connection: integrationSchema.nullable(),
});
export type OfferedIntegration = z.infer<typeof offeredIntegrationSchema>;

/** The answer of `GET /api/integrations`. */
export const integrationListSchema = z.object({ integrations: z.array(offeredIntegrationSchema) });

/** An agent of an organization, as a list shows it. */
export const agentSummarySchema = agentStatusSchema.pick({ agent_id: true, source: true, created_at: true }).extend({
  registered_from: z.string().nullable(),
  claimed_at: timestampSchema,
  /** The member within whose rights it acts: who claimed it, or the owner who confirmed it last. */
  responsible: personSchema,
  /** When an owner took responsibility; null: only claimed so far. */
  confirmed_at: timestampSchema.nullable(),
  /** Whether its key is refused, since the responsible member has left, until an owner confirms it. */
  needs_confirmation: z.boolean(),
  revoked_at: timestampSchema.nullable(),
  last_used_at: timestampSchema.nullable(),
});
export type AgentSummary = z.infer<typeof agentSummarySchema>;

/** The agents of an organization, and whether more may register on their own. */
export const agentListSchema = z.object({
  agents: z.array(agentSummarySchema),
  registration: z.enum(["on", "off"]),
});
export type AgentList = z.infer<typeof agentListSchema>;

export const auditActions = [
  "agent.claimed",
  "agent.confirmed",
  "agent.revoked",
  "alert-source.added",
  "alert-source.changed",
  "alert-source.closed",
  "alert-source.opened",
  "alert-source.removed",
  "data.exported",
  "failure.split-off",
  "incident.deleted",
  "instructions.changed",
  "integration.connected",
  "integration.disconnected",
  "key.created",
  "key.revoked",
  "member.invited",
  "member.invitation-cancelled",
  "member.joined",
  "member.left",
  "member.removed",
  "member.role-changed",
  "notification-rule.changed",
  "notification-rule.created",
  "notification-rule.deleted",
  "notification-rule.secret-replaced",
  "notification-rule.tested",
  "organization.erased",
  "release.removed",
  "service.deleted",
  "settings.changed",
  "sources.removed",
  "thresholds.changed",
] as const;
export type AuditAction = (typeof auditActions)[number];

/** What a person changed in their organization. */
export const auditEntrySchema = z.object({
  id: z.string(),
  at: timestampSchema,
  actor: personSchema,
  action: z.enum(auditActions),
  /** What it was done to, as a person would name it; never a secret. */
  target: z.string().max(nameLengthMax),
});
export type AuditEntry = z.infer<typeof auditEntrySchema>;

/** The answer of `GET /api/audit`: the newest first; `next` is the `before` of the page after. */
export const auditPageSchema = z.object({ entries: z.array(auditEntrySchema), next: z.string().nullable() });
export type AuditPage = z.infer<typeof auditPageSchema>;

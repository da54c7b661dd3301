import { z } from "zod";
import { agentStatusSchema } from "../access/agent.ts";
import { keyScopeSchema } from "../access/key-scope.ts";
import { sentryProjectSchema, sentryProjectSettingsSchema } from "../access/sentry-project.ts";
import { limits } from "../limits.ts";
import { timestampSchema } from "../text.ts";
import { integrationKindNames } from "./integration-kinds.ts";

const nameLengthMax = 200;
/** Characters of an organization's custom instructions: a few thousand words. */
export const instructionsLengthMax = 20_000;

export const personSchema = z.object({ id: z.string(), name: z.string() });

/** One version of an organization's custom instructions. Version 0 is empty, has no author, and precedes the first. */
export const instructionsSchema = z.object({
  version: z.int().min(0),
  text: z.string().max(instructionsLengthMax),
  changed_at: timestampSchema.nullable(),
  changed_by: personSchema.nullable(),
});
export type Instructions = z.infer<typeof instructionsSchema>;

/**
 * A change of the instructions, and the version it was based on. Of two concurrent changes, the second is rejected
 * rather than overwriting the first.
 */
export const instructionsChangeSchema = z.object({
  text: z.string().max(instructionsLengthMax),
  version: z.int().min(0),
});

/** The answer of `GET /api/instructions/history`: the newest first. */
export const instructionsHistorySchema = z.object({ versions: z.array(instructionsSchema) });

/** An API key as its organization lists it, without the key itself. */
export const apiKeySchema = z.object({
  key_id: z.string(),
  name: z.string(),
  /** The first characters of the key. */
  prefix: z.string(),
  /** One scope, or those of every agent's key. */
  scopes: z.array(keyScopeSchema),
  created_at: timestampSchema,
  revoked_at: timestampSchema.nullable(),
  /** Accurate to five minutes; null when it was never used. */
  last_used_at: timestampSchema.nullable(),
  /** The agent that the key belongs to; null for an organization's key. */
  agent_id: z.string().nullable(),
  /** What a key with the scope `sentry` is for; null for others. */
  project: sentryProjectSchema.nullable(),
});
export type ApiKey = z.infer<typeof apiKeySchema>;

const keyNameLengthMax = 100;

/** The body of `POST /api/keys`. */
export const newApiKeySchema = z
  .object({
    name: z.string().min(1).max(keyNameLengthMax),
    scope: keyScopeSchema,
    /** Given with the scope `sentry`, and only with it. */
    project: sentryProjectSettingsSchema.optional(),
  })
  .refine(({ scope, project }) => (scope === "sentry") === (project !== undefined), {
    path: ["project"],
    message: "a key has a project exactly if its scope is sentry",
  });

/** The answer of `POST /api/keys`, the only one that contains the key. */
export const createdApiKeySchema = z.object({
  key_id: z.string(),
  name: z.string(),
  scope: keyScopeSchema,
  api_key: z.string(),
  /** The DSN of a key with the scope `sentry`; null for others. */
  dsn: z.string().nullable(),
});
export type CreatedApiKey = z.infer<typeof createdApiKeySchema>;

/** The event store's maximum: it drops rows of the far future at once. */
const retentionDaysMax = 3_650;

/** An owner's choices; null keeps the service's default. */
export const organizationSettingsSchema = z.object({
  retention_days: z.int().min(1).max(retentionDaysMax).nullable(),
  events_per_day: z.int().min(1).nullable(),
  /** Compressed bytes on disk for the texts and files of analyses. */
  input_bytes_max: z.int().min(limits.organizationInputBytesMin).nullable(),
  /** Whether ids of users and what else identifies them are stored as sent, not hashed. */
  plain_users: z.boolean(),
  /** Whether members can't sign in with a password; who joins must have signed in with the service's OpenID provider. */
  passwords_off: z.boolean(),
});

/** The body of `PUT /api/organization`, with all settings: it replaces the previous ones. */
export const organizationChangeSchema = z.object({ settings: organizationSettingsSchema });

/** The answer of `GET` and `PUT /api/organization`. */
export const organizationSchema = z.object({
  id: z.string(),
  name: z.string(),
  settings: organizationSettingsSchema,
  /** Events accepted today (UTC), and bytes on disk for stored inputs of analyses. */
  usage: z.object({ day: z.iso.date(), events: z.int().min(0), input_bytes: z.int().min(0) }),
});
export type Organization = z.infer<typeof organizationSchema>;

/** An integration as its organization sees it, without credentials. */
export const integrationSchema = z.object({
  kind: z.enum(integrationKindNames),
  /** What its owner calls it, among several of a kind; empty for the one that has no name. */
  name: z.string(),
  /** The vendor's name: `PagerDuty`. */
  vendor: z.string(),
  /** What the credentials belong to, according to the vendor: an account, an organization, a cluster. */
  belongs_to: z.string(),
  /** The inputs that may be shown. */
  inputs: z.record(z.string(), z.string()),
  /** Names of the inputs that are stored encrypted. */
  credentials: z.array(z.string()),
  connected_at: timestampSchema,
  connected_by: personSchema,
  /** When it last answered a query or a check of its credentials; null when it hasn't yet. */
  answered_at: timestampSchema.nullable(),
  /** When it last failed, and why; null when it never did. */
  failed: z.object({ at: timestampSchema, reason: z.string() }).nullable(),
  /** Findings that it contributed to investigations since it was connected. */
  findings: z.int().min(0),
});
export type Integration = z.infer<typeof integrationSchema>;

const connectionNameLengthMax = 60;

/** The query of a request about one connection of a kind. */
export const connectionQuerySchema = z.object({
  /** The connection's name; empty for the one that has none. */
  name: z
    .string()
    .trim()
    .max(connectionNameLengthMax)
    .regex(/^[^\p{Cc}\p{Cf}]*$/u, "it must be one line")
    .default(""),
});

/** Returns a connection's name for people: `Kubernetes (europe)`. */
export function connectionTitle({ vendor, name }: Pick<Integration, "vendor" | "name">): string {
  return name === "" ? vendor : `${vendor} (${name})`;
}

/** A kind of integration that this service supports, and its connections. */
export const offeredIntegrationSchema = z.object({
  kind: z.enum(integrationKindNames),
  /** The vendors that this kind connects to; the inputs select one of them. */
  vendors: z.array(
    z.object({
      name: z.string(),
      /** What its code was tested against: a server or recordings made by others, or a test double of our own. */
      checked_against: z.string(),
      /** The path of its documentation page on this service. */
      documentation: z.string(),
    }),
  ),
  /** Whether the operator has configured the application that people authorize; null for kinds without one. */
  authorization: z.enum(["configured", "not configured"]).nullable(),
  /** Empty until an owner connects it; several where the credentials are entered. */
  connections: z.array(integrationSchema),
});
export type OfferedIntegration = z.infer<typeof offeredIntegrationSchema>;

/** The answer of `GET /api/integrations`. */
export const integrationListSchema = z.object({ integrations: z.array(offeredIntegrationSchema) });

/** An agent of an organization, as listed. */
export const agentSummarySchema = agentStatusSchema.pick({ agent_id: true, source: true, created_at: true }).extend({
  registered_from: z.string().nullable(),
  claimed_at: timestampSchema,
  /** The member whose rights it has: who claimed it, or the owner who confirmed it last. */
  responsible: personSchema,
  /** When an owner took responsibility; null when it was only claimed. */
  confirmed_at: timestampSchema.nullable(),
  /** Whether its key is rejected until an owner confirms it, because the responsible member has left. */
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
  "alert-source.secret-replaced",
  "data.exported",
  "failure.split-off",
  "incident.acknowledged",
  "incident.commented",
  "incident.deleted",
  "incident.handed-over",
  "incident.ignored",
  "incident.let-go",
  "incident.merged",
  "incident.muted",
  "incident.pull-request-opened",
  "incident.reopened",
  "incident.resolved",
  "incident.share-revoked",
  "incident.shared",
  "incident.taken",
  "incident.unmerged",
  "incident.watch-stopped",
  "incident.watched",
  "instructions.changed",
  "integration.connected",
  "integration.disconnected",
  "integration.renamed",
  "key.created",
  "key.revoked",
  "member.backup-code-used",
  "member.backup-codes-replaced",
  "member.invited",
  "member.invitation-cancelled",
  "member.joined",
  "member.left",
  "member.removed",
  "member.role-changed",
  "member.two-factor-disabled",
  "member.two-factor-enabled",
  "member.two-factor-reset",
  "model.accepted",
  "model.connected",
  "model.disconnected",
  "model.refused",
  "monitor.changed",
  "monitor.created",
  "monitor.deleted",
  "monitor.key-replaced",
  "monitor.paused",
  "monitor.resumed",
  "monitor.tested",
  "notification-rule.changed",
  "notification-rule.created",
  "notification-rule.deleted",
  "notification-rule.secret-replaced",
  "notification-rule.tested",
  "organization.erased",
  "ownership.changed",
  "release.removed",
  "service.deleted",
  "settings.changed",
  "sources.removed",
  "thresholds.changed",
] as const;
export type AuditAction = (typeof auditActions)[number];

/** A change that someone made in their organization; for a change by a key, the actor is the key. */
export const auditEntrySchema = z.object({
  id: z.string(),
  at: timestampSchema,
  actor: personSchema,
  action: z.enum(auditActions),
  /** What was changed, as a person would name it; never a secret. */
  target: z.string().max(nameLengthMax),
});
export type AuditEntry = z.infer<typeof auditEntrySchema>;

/** The answer of `GET /api/audit`, the newest first; `next` is the `before` of the following page. */
export const auditPageSchema = z.object({ entries: z.array(auditEntrySchema), next: z.string().nullable() });
export type AuditPage = z.infer<typeof auditPageSchema>;

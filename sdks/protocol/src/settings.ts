import { z } from "zod";
import { agentStatusSchema } from "./agent.ts";
import { timestampSchema } from "./text.ts";

const nameLengthMax = 200;
/** Some thousand words: what an organization wants every analysis to know. */
export const instructionsLengthMax = 20_000;

const personSchema = z.object({ id: z.string(), name: z.string() });

/** One state of an organization's custom instructions. Version 0, empty and by nobody, is before the first. */
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

/** An integration as its organization sees it: never a credential. */
export const integrationSchema = z.object({
  kind: z.string(),
  /** What is shown again of the inputs. */
  inputs: z.record(z.string(), z.string()),
  /** Names of the inputs that are stored encrypted. */
  credentials: z.array(z.string()),
  connected_at: timestampSchema,
  connected_by: personSchema,
});
export type Integration = z.infer<typeof integrationSchema>;

/** An agent of an organization, as a list shows it. */
export const agentSummarySchema = agentStatusSchema.pick({ agent_id: true, source: true, created_at: true }).extend({
  claimed_at: timestampSchema,
  revoked_at: timestampSchema.nullable(),
  last_used_at: timestampSchema.nullable(),
});
export type AgentSummary = z.infer<typeof agentSummarySchema>;

export const auditActions = [
  "agent.claimed",
  "agent.revoked",
  "instructions.changed",
  "integration.connected",
  "integration.disconnected",
  "key.created",
  "key.revoked",
  "member.invited",
  "member.invitation-cancelled",
  "member.joined",
  "member.removed",
  "member.role-changed",
  "settings.changed",
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

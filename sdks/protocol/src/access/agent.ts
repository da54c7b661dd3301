import { z } from "zod";
import { limits } from "../limits.ts";

export const registerRequestSchema = z.object({
  /** Names the agent's framework. */
  source: z.string().min(limits.sourceLengthMin).max(limits.sourceLengthMax),
});
export type RegisterRequest = z.infer<typeof registerRequestSchema>;

/** The answer of `POST /api/agents/register`, the only one that contains the key and the claim token. */
export const registerResponseSchema = z.object({
  agent_id: z.string(),
  api_key: z.string(),
  claim_token: z.string(),
  claim_url: z.string(),
  expires_at: z.string(),
});
export type RegisterResponse = z.infer<typeof registerResponseSchema>;

export const claimRequestSchema = z.object({ claim_token: z.string().min(1).max(limits.textLengthMax) });
export type ClaimRequest = z.infer<typeof claimRequestSchema>;

/** The agent behind a claim token, as shown before someone claims it. */
export const agentRequestSchema = z.object({
  agent_id: z.string(),
  source: z.string(),
  created_at: z.string(),
  /** The address that the registration came from, as the service saw it. */
  registered_from: z.string().nullable(),
  expires_at: z.string(),
});
export type AgentRequest = z.infer<typeof agentRequestSchema>;

export const claimResponseSchema = z.object({
  agent_id: z.string(),
  organization_id: z.string(),
  claimed_at: z.string(),
});
export type ClaimResponse = z.infer<typeof claimResponseSchema>;

export const agentStatusSchema = z.object({
  agent_id: z.string(),
  source: z.string(),
  status: z.enum(["unclaimed", "claimed"]),
  organization_id: z.string().nullable(),
  created_at: z.string(),
  /** Null once claimed: a claimed agent doesn't expire. */
  expires_at: z.string().nullable(),
  expires_in_seconds: z.int().min(0).nullable(),
});
export type AgentStatus = z.infer<typeof agentStatusSchema>;

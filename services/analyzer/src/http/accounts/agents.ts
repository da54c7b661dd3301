import {
  type AgentList,
  type AgentRequest,
  type AgentStatus,
  agentListSchema,
  agentRequestSchema,
  agentStatusSchema,
  type ClaimResponse,
  claimRequestSchema,
  claimResponseSchema,
  type RegisterResponse,
  registerRequestSchema,
  registerResponseSchema,
} from "@whence/protocol";
import type { AgentStore, AuditScope, KeyStore, Scoped } from "@whence/storage";
import type { FastifyInstance, FastifySchema } from "fastify";
import { z } from "zod";
import { hashSecret, mintSecret } from "../../credentials.ts";
import { analyzerErrors } from "../../errors.ts";
import type { Member } from "../../identity/identity.ts";
import { byAnyKey, byAnyone, byMember, byOwner } from "../access.ts";
import type { HttpContext } from "../context.ts";
import type { RouteRateLimits } from "../limits/rate-limits.ts";
import { requireSameOrigin } from "../same-origin.ts";
import { parse } from "../validation.ts";
import { requireKey, requireMember, requireOwner } from "../viewer.ts";
import { recordChange } from "./audit.ts";

const agentIdSchema = z.object({ agent_id: z.string() });
const claimErrors = ["WHENCE_ERR_CLAIM_UNKNOWN", "WHENCE_ERR_CLAIM_TAKEN", "WHENCE_ERR_CLAIM_EXPIRED"] as const;

const operations = {
  register: {
    operationId: "register_agent_api_agents_register_post",
    tags: ["agents"],
    summary: "Register a new agent, to be claimed within 3 days",
    body: registerRequestSchema,
    response: { 200: registerResponseSchema },
    errors: ["WHENCE_ERR_AGENT_REGISTRATION_OFF", "WHENCE_ERR_RATE_LIMITED"],
  },
  claim: {
    operationId: "claim_agent_api_agents_claim_post",
    tags: ["agents"],
    summary: "Claim an agent for the active organization of the signed-in person",
    body: claimRequestSchema,
    response: { 200: claimResponseSchema },
    errors: claimErrors,
  },
  previewClaim: {
    operationId: "preview_claim",
    tags: ["agents"],
    summary: "Get the agent that a claim token belongs to: its source, when and from which address it registered",
    body: claimRequestSchema,
    response: { 200: agentRequestSchema },
    errors: claimErrors,
  },
  status: {
    operationId: "agent_status_api_agents_status_get",
    tags: ["agents"],
    summary: "Get the agent that the key belongs to, and when it expires",
    response: { 200: agentStatusSchema },
    errors: ["WHENCE_ERR_NOT_AN_AGENT"],
  },
  list: {
    operationId: "list_agents",
    tags: ["agents"],
    summary: "List the agents that the organization has claimed",
    response: { 200: agentListSchema },
  },
  revoke: {
    operationId: "revoke_agent",
    tags: ["agents"],
    summary: "Revoke an agent's key",
    response: { 200: agentIdSchema },
    errors: ["WHENCE_ERR_AGENT_NOT_FOUND"],
  },
  confirm: {
    operationId: "confirm_agent",
    tags: ["agents"],
    summary: "Become the member responsible for an agent; its key works again if it had stopped",
    response: { 200: agentIdSchema },
    errors: ["WHENCE_ERR_AGENT_NOT_FOUND"],
  },
} as const satisfies Record<string, FastifySchema>;

type Context = HttpContext<AgentStore & KeyStore & Scoped<AuditScope>>;

/** Routes for an agent's lifecycle: register, claim, and status. */
export function agentRoutes(app: FastifyInstance, context: Context, rateLimits: RouteRateLimits): void {
  app.post(
    "/api/agents/register",
    { ...byAnyone, schema: operations.register },
    async (request, reply): Promise<RegisterResponse> => {
      if (!context.mayAgentsRegister) throw analyzerErrors.create("WHENCE_ERR_AGENT_REGISTRATION_OFF");
      const body = parse(registerRequestSchema, request.body, "body");
      await rateLimits.register(request, reply);
      return registerAgent(context, body.source, request.ip);
    },
  );

  app.post("/api/agents/claim", { ...byMember, schema: operations.claim }, async (request): Promise<ClaimResponse> => {
    requireSameOrigin(request, context);
    const body = parse(claimRequestSchema, request.body, "body");
    const member = await requireMember(context, request);
    return claimAgent(context, body.claim_token, member);
  });

  app.post(
    "/api/agents/claim/preview",
    { ...byMember, schema: operations.previewClaim },
    async (request): Promise<AgentRequest> => {
      requireSameOrigin(request, context);
      const body = parse(claimRequestSchema, request.body, "body");
      const member = await requireMember(context, request);
      return askingAgent(context, body.claim_token, member);
    },
  );

  app.get("/api/agents/status", { ...byAnyKey, schema: operations.status }, async (request): Promise<AgentStatus> => {
    const principal = await requireKey(context, request);
    if (principal.kind !== "agent") throw analyzerErrors.create("WHENCE_ERR_NOT_AN_AGENT");
    const status = await context.control.agents.status(principal.agentId, new Date(context.clock()));
    if (!status) throw analyzerErrors.create("WHENCE_ERR_KEY_UNKNOWN");
    return status;
  });

  app.get("/api/agents", { ...byMember, schema: operations.list }, async (request): Promise<AgentList> => {
    const { organizationId } = await requireMember(context, request);
    const agents = [...(await context.control.agents.list(organizationId))];
    return { agents, registration: context.mayAgentsRegister ? "on" : "off" };
  });

  app.delete<{ Params: { id: string } }>(
    "/api/agents/:id",
    { ...byOwner, schema: operations.revoke },
    async (request): Promise<{ agent_id: string }> => {
      requireSameOrigin(request, context);
      const owner = await requireOwner(context, request);
      const { id } = request.params;
      const revoked = await context.control.agents.revoke(owner.organizationId, id, new Date(context.clock()));
      if (!revoked) throw analyzerErrors.create("WHENCE_ERR_AGENT_NOT_FOUND", [id.slice(0, 60)]);
      await recordChange(context, owner, "agent.revoked", id);
      return { agent_id: id };
    },
  );

  confirmRoute(app, context);
}

/** Lets owners vouch for agents whose responsible member is gone, or take them over. */
function confirmRoute(app: FastifyInstance, context: Context): void {
  app.post<{ Params: { id: string } }>(
    "/api/agents/:id/confirm",
    { ...byOwner, schema: operations.confirm },
    async (request) => {
      requireSameOrigin(request, context);
      const owner = await requireOwner(context, request);
      const { id } = request.params;
      const confirmed = await context.control.agents.confirm(id, owner, new Date(context.clock()));
      if (!confirmed) throw analyzerErrors.create("WHENCE_ERR_AGENT_NOT_FOUND", [id.slice(0, 60)]);
      await recordChange(context, owner, "agent.confirmed", id);
      return { agent_id: id };
    },
  );
}

async function registerAgent(context: Context, source: string, registeredFrom: string): Promise<RegisterResponse> {
  const [key, claimToken] = [mintSecret("wha"), mintSecret("whc")];
  const now = new Date(context.clock());
  const expiresAt = new Date(now.getTime() + context.limits.unclaimedAgentLifetimeMs);
  const hashes = { keyHash: hashSecret(key), claimTokenHash: hashSecret(claimToken) };
  const { id } = await context.control.agents.register({ source, registeredFrom, ...hashes, now, expiresAt });
  return {
    agent_id: id,
    api_key: key,
    claim_token: claimToken,
    claim_url: `${context.appUrl}/login?claim=${claimToken}`,
    expires_at: expiresAt.toISOString(),
  };
}

/** Returns the agent that asks to join the member's organization; throws why it can't. */
async function askingAgent(context: Context, token: string, member: Member): Promise<AgentRequest> {
  const found = await context.control.agents.asking(hashSecret(token));
  if (!found) throw analyzerErrors.create("WHENCE_ERR_CLAIM_UNKNOWN");
  const { organizationId, ...request } = found;
  if (organizationId === null && context.clock() >= Date.parse(request.expires_at)) {
    throw analyzerErrors.create("WHENCE_ERR_CLAIM_EXPIRED");
  }
  if (organizationId !== null && organizationId !== member.organizationId) {
    throw analyzerErrors.create("WHENCE_ERR_CLAIM_TAKEN");
  }
  return request;
}

/** Moves the agent to the member's organization; throws why it can't. */
async function claimAgent(context: Context, token: string, member: Member): Promise<ClaimResponse> {
  const now = new Date(context.clock());
  const claim = await context.control.agents.claim(hashSecret(token), member, now);
  switch (claim.outcome) {
    case "claimed":
      // Its unfinished investigations moved with it.
      context.relayOutbox();
      // Claiming again changes nothing.
      if (claim.claimedAt === now.toISOString()) await recordChange(context, member, "agent.claimed", claim.agentId);
      return { agent_id: claim.agentId, organization_id: claim.organizationId, claimed_at: claim.claimedAt };
    case "unknown":
      throw analyzerErrors.create("WHENCE_ERR_CLAIM_UNKNOWN");
    case "expired":
      throw analyzerErrors.create("WHENCE_ERR_CLAIM_EXPIRED");
    case "claimed-by-another":
      throw analyzerErrors.create("WHENCE_ERR_CLAIM_TAKEN");
  }
}

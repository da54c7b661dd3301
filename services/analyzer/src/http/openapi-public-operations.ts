import type { z } from "zod";
import { type Access, byAnyKey, byAnyone, byKey, byMember } from "./access.ts";
import type { SchemaName } from "./openapi-schemas.ts";

/** One row of the interface: what the document says of an operation. */
export interface Operation {
  readonly path: string;
  readonly method: "get" | "post" | "put" | "delete";
  readonly id: string;
  readonly tag: string;
  readonly summary: string;
  readonly access: Access;
  readonly parameters?: readonly string[];
  /** What the route parses its query with. */
  readonly query?: z.ZodObject;
  readonly body?: SchemaName;
  readonly answer?: SchemaName;
  readonly success?: number;
  /** Refusals beside 422. */
  readonly refusals: Readonly<Record<number, string>>;
}

export const noKey = "The key is not known, was revoked or has expired";
export const rate = "Too many requests; Retry-After says when to come back";
const tooLarge = "The body is too large";
/** Of what starts an analysis. */
export const noRoom = {
  413: "The body is too large, or there is no room for it under a quota of stored inputs",
  507: "The disk is nearly full; Retry-After says when to come back",
};

/** The four documented operations. */
export const publicOperations: readonly Operation[] = [
  {
    path: "/api/mcp/analyze",
    method: "post",
    id: "analyze_incident_mcp_api_mcp_analyze_post",
    tag: "mcp",
    summary: "Start an analysis of an error text, with source files if there are any",
    ...byKey("analyze").config,
    body: "AnalyzeMCPIncidentRequest",
    answer: "AnalyzeMCPIncidentResponse",
    refusals: { 401: noKey, 429: rate, ...noRoom },
  },
  {
    path: "/api/agents/register",
    method: "post",
    id: "register_agent_api_agents_register_post",
    tag: "agents",
    summary: "Register a new agent, which has 3 days to be claimed",
    ...byAnyone.config,
    body: "RegisterAgentRequest",
    answer: "RegisterAgentResponse",
    refusals: { 403: "Registration of agents is switched off", 413: tooLarge, 429: rate },
  },
  {
    path: "/api/agents/claim",
    method: "post",
    id: "claim_agent_api_agents_claim_post",
    tag: "agents",
    summary: "Claim an agent for the active organization of the signed-in person",
    ...byMember.config,
    body: "ClaimAgentRequest",
    answer: "ClaimAgentResponse",
    refusals: {
      401: "Not signed in",
      403: "A browser sent the request from another site's page",
      404: "No agent has this claim token",
      409: "Claimed by another organization",
      410: "The agent expired unclaimed",
      413: tooLarge,
    },
  },
  {
    path: "/api/agents/status",
    method: "get",
    id: "agent_status_api_agents_status_get",
    tag: "agents",
    summary: "The agent whose key is sent, and the time it has left",
    ...byAnyKey.config,
    answer: "AgentStatus",
    refusals: { 401: noKey, 404: "The key is an organization's" },
  },
];

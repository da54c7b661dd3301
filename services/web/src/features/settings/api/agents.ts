import { queryOptions } from "@tanstack/react-query";
import { agentListSchema, type ClaimResponse, claimResponseSchema } from "@whence/protocol";
import { z } from "zod";
import { request } from "../../../lib/api-client.ts";

/** The agents that the organization has claimed. */
export const agentsQuery = queryOptions({
  queryKey: ["settings", "agents"],
  queryFn: ({ signal }) => request(agentListSchema, "/api/agents", { signal }),
});

/** Assigns the agent of the token to the organization. */
export function claimByToken(token: string): Promise<ClaimResponse> {
  return request(claimResponseSchema, "/api/agents/claim", { method: "POST", body: { claim_token: token } });
}

/** Makes the signed-in owner responsible for the agent. */
export async function confirmAgent(id: string): Promise<void> {
  await request(z.unknown(), `/api/agents/${encodeURIComponent(id)}/confirm`, { method: "POST", body: {} });
}

export async function revokeAgent(id: string): Promise<void> {
  await request(z.unknown(), `/api/agents/${encodeURIComponent(id)}`, { method: "DELETE" });
}

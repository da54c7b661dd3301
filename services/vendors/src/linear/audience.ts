import { z } from "zod";
import { orAbsent } from "../http/or-absent.ts";
import type { LinearApi } from "./api.ts";
import type { LinearPlace } from "./place.ts";

const sessionQuery = `query SessionAudience($id: String!) {
  agentSession(id: $id) {
    comment { externalThread { type } parent { externalThread { type } } }
  }
}`;
const externalThread = z.object({ type: z.string() }).nullable();
const sessionSchema = z.object({
  agentSession: z.object({
    comment: z.object({ externalThread, parent: z.object({ externalThread }).nullable() }).nullable(),
  }),
});

const askerQuery = "query Asker($id: String!) { user(id: $id) { active guest } }";
const askerSchema = z.object({ user: z.object({ active: z.boolean(), guest: z.boolean() }) });

/** Linear forwards what is said in a synced thread: to a GitHub issue, a Slack channel, or the sender of an email. */
export async function isPublic(api: LinearApi, { session: id }: LinearPlace, signal: AbortSignal): Promise<boolean> {
  const { agentSession } = await api.ask({ query: sessionQuery, variables: { id }, schema: sessionSchema }, signal);
  const { externalThread: own = null, parent } = agentSession.comment ?? {};
  return own !== null || Boolean(parent?.externalThread);
}

/**
 * Returns whether the requester is a member of the workspace and not a guest. Linear names no one for an automation.
 */
export async function isAskedByMember(
  api: LinearApi,
  { asker: id }: LinearPlace,
  signal: AbortSignal,
): Promise<boolean> {
  if (id === undefined) return false;
  const found = await orAbsent(api.ask({ query: askerQuery, variables: { id }, schema: askerSchema }, signal));
  const { active = false, guest = true } = found?.user ?? {};
  return active && !guest;
}

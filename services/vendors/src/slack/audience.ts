import { z } from "zod";
import { SlackRefusal } from "./refusals.ts";
import type { SlackWebApi } from "./web-api.ts";

/** https://docs.slack.dev/reference/objects/conversation-object */
const channelSchema = z.object({
  channel: z.object({ is_ext_shared: z.boolean(), is_pending_ext_shared: z.boolean().optional() }),
});

/** https://docs.slack.dev/reference/objects/user-object: a deleted user lacks some fields. */
const userSchema = z.object({
  user: z.object({
    team_id: z.string().optional(),
    enterprise_user: z.object({ teams: z.array(z.string()).optional() }).optional(),
    deleted: z.boolean().optional(),
    is_bot: z.boolean().optional(),
    is_stranger: z.boolean().optional(),
    is_restricted: z.boolean().optional(),
    is_ultra_restricted: z.boolean().optional(),
  }),
});
/** Slack gives the address to apps with the scope `users:read.email`. */
const addressSchema = z.object({ user: z.object({ profile: z.object({ email: z.string().optional() }).optional() }) });
const unknownUser: readonly string[] = ["user_not_found", "user_not_visible"];

/** Returns whether other organizations can read the channel, or were invited to (Slack Connect). */
export async function isShared(api: SlackWebApi, channel: string, signal: AbortSignal): Promise<boolean> {
  const { body } = await api.call("conversations.info", { query: { channel }, schema: channelSchema }, signal);
  return body.channel.is_ext_shared || body.channel.is_pending_ext_shared === true;
}

/** Returns whether a user is a full member of the workspace: not a guest, and not from another organization. */
export async function isFullMember(
  api: SlackWebApi,
  { id, team }: { readonly id: string; readonly team: string },
  signal: AbortSignal,
): Promise<boolean> {
  try {
    const { body } = await api.call("users.info", { query: { user: id }, schema: userSchema }, signal);
    const { user } = body;
    const isOfTeam = user.team_id === team || Boolean(user.enterprise_user?.teams?.includes(team));
    const isGuest = user.is_restricted !== false || user.is_ultra_restricted !== false;
    return isOfTeam && !isGuest && !user.deleted && !user.is_bot && !user.is_stranger;
  } catch (error) {
    if (error instanceof SlackRefusal && unknownUser.includes(error.error)) return false;
    throw error;
  }
}

/** Returns a user's email address, which Slack has verified; null when it has none. */
export async function addressOf(api: SlackWebApi, id: string, signal: AbortSignal): Promise<string | null> {
  const { body } = await api.call("users.info", { query: { user: id }, schema: addressSchema }, signal);
  return body.user.profile?.email ?? null;
}

import { secondMs } from "@whence/protocol";
import { z } from "zod";
import { type Announcement, messageActions } from "../alert-senders/announcement.ts";
import { identifier } from "../text/fields.ts";

/** A time in seconds since 1970, which is also a message's ID in its channel. */
const seconds = z.string().regex(/^\d{1,11}\.\d{1,9}$/);

/** https://docs.slack.dev/reference/interaction-payloads/block_actions-payload */
const pressSchema = z.object({
  team: z.object({ id: identifier }),
  user: z.object({ id: identifier }),
  channel: z.object({ id: identifier }),
  message: z.object({ ts: seconds, thread_ts: seconds.optional() }),
  actions: z.array(z.object({ action_id: z.string(), value: z.string().optional(), action_ts: seconds })).min(1),
});

const actionSchema = z.enum(messageActions);
const incidentIdSchema = z.string().regex(/^inc_\w{1,60}$/);

/** Returns the press of a button that this app made; nothing for others. Throws a zod error for another payload. */
export function pressesIn(payload: unknown): readonly Announcement[] {
  const { team, user, channel, message, actions } = pressSchema.parse(payload);
  return actions.flatMap(({ action_id, value, action_ts }): Announcement[] => {
    const [action, incidentId] = [actionSchema.safeParse(action_id).data, incidentIdSchema.safeParse(value).data];
    if (action === undefined || incidentId === undefined) return [];
    const { ts, thread_ts = ts } = message;
    const place = { team: team.id, channel: channel.id, thread_ts, ts, asker: user.id };
    const at = new Date(Number(action_ts) * secondMs).toISOString();
    return [{ kind: "press", pressed: { action, incidentId, messageId: ts, at, place } }];
  });
}

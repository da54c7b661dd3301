import { secondMs } from "@whence/protocol";
import { z } from "zod";
import type { AlertSender, ReceivedWebhook } from "../alert-senders/alert-sender.ts";
import type { Announcement } from "../alert-senders/announcement.ts";
import { idInBody } from "../alert-senders/delivery-id.ts";
import { headerOf } from "../alert-senders/header.ts";
import { shownSecret } from "../alert-senders/inputs.ts";
import { isRecent, isSignedBy } from "../alert-senders/proof.ts";
import type { SenderInputs } from "../alert-senders/sender-inputs.ts";
import { parseBoundedJson } from "../http/bounded-json.ts";
import { identifier, optionalText } from "../text/fields.ts";
import { nameFrom, textFrom } from "../text/plain-text.ts";
import { setupOfApp } from "./app-setup.ts";
import { plainFromMrkdwn } from "./mrkdwn.ts";
import { pressesIn } from "./pressed-button.ts";
import { socketMode } from "./socket-mode.ts";

const version = "v0=";

/** A message's ID in its channel: the time at which it was posted, in seconds. */
const messageTime = z.string().regex(/^\d{1,11}\.\d{1,9}$/);

/** https://docs.slack.dev/apis/events-api/#event-type-structure */
const eventSchema = z.object({
  team_id: identifier,
  authorizations: z.array(z.object({ user_id: optionalText })).nullish(),
  event: z.looseObject({ type: z.string() }),
});
type SlackEvent = z.infer<typeof eventSchema>;

/** https://docs.slack.dev/reference/events/app_mention */
const mentionSchema = z.object({
  user: optionalText,
  user_profile: z.object({ display_name: optionalText, real_name: optionalText }).nullish().catch(null),
  /** Present only in what an app posts. */
  bot_id: optionalText,
  text: z.string(),
  ts: messageTime,
  thread_ts: messageTime.nullish(),
  channel: identifier,
  edited: z.object({}).nullish(),
});

/** https://docs.slack.dev/reference/events/tokens_revoked */
const revocationSchema = z.object({ tokens: z.object({ bot: z.array(z.string()).nullish() }) });

const challengeSchema = z.object({ type: z.literal("url_verification"), challenge: z.string() });
const eventIdSchema = z.object({ event_id: identifier }).transform((event) => event.event_id);

/**
 * A Slack app that is mentioned in threads. Its signatures follow
 * https://docs.slack.dev/authentication/verifying-requests-from-slack. Events over Socket Mode have the same bodies,
 * and therefore the same delivery IDs.
 */
export const slack: AlertSender = {
  kind: "slack",
  label: "Slack",
  inputs: [
    shownSecret("Signing secret", "signing_secret"),
    shownSecret("Bot user OAuth token", "bot_token"),
    { ...shownSecret("App-level token", "app_token"), is_optional: true },
  ],
  setup: setupOfApp,
  connection: socketMode,
  verify(webhook, { signing_secret: key = "" }, { now }) {
    const seconds = headerOf(webhook, "x-slack-request-timestamp");
    const given = headerOf(webhook, "x-slack-signature");
    if (seconds === null || !given?.startsWith(version) || !isRecent(seconds, now)) return false;
    const signed = ["v0:", seconds, ":", webhook.body];
    return isSignedBy([given.slice(version.length)], { algorithm: "sha256", key, signed, encoding: "hex" });
  },
  deliveryId: (webhook) => idInBody(webhook, eventIdSchema),
  challenge(webhook) {
    const asked = challengeSchema.safeParse(parseBoundedJson(webhook.body.toString("utf8")));
    return asked.success ? { challenge: asked.data.challenge } : null;
  },
  read(body, webhook, inputs) {
    const payload = body ?? payloadOf(webhook);
    const { type } = z.object({ type: z.string() }).parse(payload);
    if (type === "block_actions") return pressesIn(payload);
    // Slack also reports when it stops sending events for a while.
    if (type !== "event_callback") return [];
    const said = eventSchema.parse(payload);
    switch (said.event.type) {
      case "app_mention":
        return requestsIn(said, inputs);
      case "app_uninstalled":
        return [{ kind: "removed", by: null }];
      case "tokens_revoked":
        return revocationSchema.parse(said.event).tokens.bot?.length ? [{ kind: "removed", by: null }] : [];
      default:
        return [];
    }
  },
};

/** Over HTTP, interactions come as a form. https://docs.slack.dev/interactivity/handling-user-interaction#payloads */
function payloadOf({ body }: ReceivedWebhook): unknown {
  const payload = new URLSearchParams(body.toString("utf8")).get("payload");
  return payload === null ? undefined : parseBoundedJson(payload);
}

function requestsIn(said: SlackEvent, inputs: SenderInputs): readonly Announcement[] {
  const [installed] = said.authorizations ?? [];
  const mention = mentionSchema.parse(said.event);
  const { user, user_profile: profile, ts, channel } = mention;
  const bot = inputs.bot_user_id ?? installed?.user_id ?? null;
  const isOfBot = Boolean(mention.bot_id) || !user || user === bot;
  if (isOfBot || mention.edited) return [];
  const thread = mention.thread_ts ?? ts;
  return [
    {
      kind: "request",
      request: {
        thread: `${channel} ${thread}`,
        requestId: `${channel} ${ts}`,
        how: "mentioned",
        author: nameFrom(profile?.display_name || profile?.real_name) ?? user,
        question: textFrom(plainFromMrkdwn(withoutMention(mention.text, bot))).trim(),
        at: new Date(Number(ts) * secondMs).toISOString(),
        place: { team: said.team_id, channel, thread_ts: thread, ts, asker: user },
      },
    },
  ];
}

function withoutMention(text: string, bot: string | null): string {
  return text.replaceAll(/<@([^<>|]{1,40})(?:\|[^<>]{0,200})?>/g, (whole, user: string) =>
    bot === null || user === bot ? " " : whole,
  );
}

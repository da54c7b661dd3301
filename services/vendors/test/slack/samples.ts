import type { AppMentionEvent, AppUninstalledEvent, TokensRevokedEvent } from "@slack/types";

/** What an event comes in. https://docs.slack.dev/apis/events-api/#event-type-structure */
export const slackEvent = (event: object) => ({
  ...{ token: "XXYYZZ", team_id: "T0ACME", context_team_id: "T0ACME", api_app_id: "A1" },
  ...{ type: "event_callback", event_id: "Ev08ABC", event_time: 1_772_366_340, is_ext_shared_channel: false },
  authorizations: [
    { enterprise_id: null, team_id: "T0ACME", user_id: "U0BOT", is_bot: true, is_enterprise_install: false },
  ],
  event,
});

/** https://docs.slack.dev/reference/events/app_mention */
export const mentionEvent = (more: object = {}) =>
  slackEvent({
    ...({
      ...{ type: "app_mention", user: "U061F7AUR", text: "<@U0BOT> why?", ts: "1772366340.000200" },
      ...{ channel: "C1", event_ts: "1772366340.000200", thread_ts: "1772366280.000100", team: "T0ACME" },
    } satisfies AppMentionEvent & { readonly team: string }),
    ...more,
  });

/** https://docs.slack.dev/reference/events/app_uninstalled */
export const uninstalledEvent = slackEvent({ type: "app_uninstalled" } satisfies AppUninstalledEvent);

/** https://docs.slack.dev/reference/events/tokens_revoked */
export const revokedEvent = (tokens: TokensRevokedEvent["tokens"]) =>
  slackEvent({ type: "tokens_revoked", tokens } satisfies TokensRevokedEvent);

/** What Slack sends when someone presses a button of a message. https://docs.slack.dev/reference/interaction-payloads/block_actions-payload */
export const pressPayload = (action: object, more: object = {}) => ({
  ...{
    type: "block_actions",
    token: "XXYYZZ",
    api_app_id: "A1",
    trigger_id: "13.37.abc",
    is_enterprise_install: false,
  },
  team: { id: "T0ACME", domain: "acme" },
  user: { id: "U061F7AUR", username: "ada", name: "ada", team_id: "T0ACME" },
  container: { type: "message", message_ts: "1772366400.000300", channel_id: "C1", is_ephemeral: false },
  channel: { id: "C1", name: "alerts" },
  message: { type: "message", user: "U0BOT", ts: "1772366400.000300", thread_ts: "1772366280.000100", text: "Cause" },
  response_url: "https://hooks.slack.com/actions/T0ACME/1/abc",
  actions: [{ type: "button", block_id: "b1", action_ts: "1772366460.000400", ...action }],
  ...more,
});

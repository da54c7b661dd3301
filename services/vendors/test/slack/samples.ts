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

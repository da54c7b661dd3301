/** The scopes of the Slack app. https://docs.slack.dev/reference/scopes */
export const slackScopes = [
  "app_mentions:read",
  "channels:history",
  "channels:read",
  "chat:write",
  "groups:history",
  "groups:read",
  "reactions:write",
  "users:read",
  "users:read.email",
] as const;

/** The events that Slack sends to the app. https://docs.slack.dev/reference/events */
const events = ["app_mention", "app_uninstalled", "tokens_revoked"] as const;

/** A manifest of a Slack app. https://docs.slack.dev/reference/app-manifest */
export type SlackManifest = ReturnType<typeof slackManifest>;

/**
 * Returns the manifest of an organization's own Slack app. Events and presses of buttons go to `requestUrl`, or over
 * Socket Mode when it is null.
 */
export function slackManifest(requestUrl: string | null) {
  const address = requestUrl === null ? {} : { request_url: requestUrl };
  return {
    display_information: { name: "Whence", description: "Finds the root cause of failures" },
    features: { bot_user: { display_name: "Whence", always_online: true } },
    oauth_config: { scopes: { bot: [...slackScopes] } },
    settings: {
      event_subscriptions: { ...address, bot_events: [...events] },
      interactivity: { is_enabled: true, ...address },
      org_deploy_enabled: false,
      socket_mode_enabled: requestUrl === null,
      token_rotation_enabled: false,
    },
  };
}

/**
 * Returns the address at which Slack creates an app from a manifest.
 * https://docs.slack.dev/app-manifests/configuring-apps-with-app-manifests
 */
export function slackAppUrl(manifest: SlackManifest): string {
  return `https://api.slack.com/apps?new_app=1&manifest_json=${encodeURIComponent(JSON.stringify(manifest))}`;
}

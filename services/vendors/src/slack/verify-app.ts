import { z } from "zod";
import type { SenderInputs } from "../alert-senders/sender-inputs.ts";
import { VendorFailure } from "../http/vendor-failure.ts";
import type { OutboundContext } from "../outbound-context.ts";
import { slackScopes } from "./manifest.ts";
import { openSlackWebApi, type SlackWebApi } from "./web-api.ts";

const inputsSchema = z.object({ bot_token: z.string(), app_token: z.string().optional() });

/** https://docs.slack.dev/reference/methods/auth.test; only a bot has a `bot_id`. */
const identitySchema = z.object({
  team: z.string(),
  team_id: z.string(),
  user_id: z.string(),
  bot_id: z.string().optional(),
});

/** https://docs.slack.dev/reference/methods/apps.connections.open */
export const connectionSchema = z.object({ url: z.url({ protocol: /^wss$/ }) });

/**
 * Asks Slack who owns the tokens, and whether the app has the required scopes. Resolves with the bot's ID and its
 * workspace. Rejects with a `VendorFailure`.
 */
export async function verifySlackApp(inputs: SenderInputs, context: OutboundContext): Promise<SenderInputs> {
  const { bot_token: botToken, app_token: appToken } = inputsSchema.parse(inputs);
  // Each request has its own time limit.
  const { signal } = new AbortController();
  requirePrefix(botToken, "xoxb-", "bot token");
  const bot = await asking({ token: botToken, credential: "bot token" }, context, (api) => identityOf(api, signal));
  if (appToken !== undefined) {
    requirePrefix(appToken, "xapp-", "app-level token");
    await asking({ token: appToken, credential: "app-level token" }, context, (api) =>
      api.call("apps.connections.open", { json: {}, schema: connectionSchema }, signal),
    );
  }
  return { bot_user_id: bot.user_id, team: bot.team, team_id: bot.team_id };
}

async function asking<Answer>(
  options: Parameters<typeof openSlackWebApi>[0],
  context: OutboundContext,
  ask: (api: SlackWebApi) => Promise<Answer>,
): Promise<Answer> {
  const api = openSlackWebApi(options, context);
  try {
    return await ask(api);
  } finally {
    await api.close();
  }
}

async function identityOf(api: SlackWebApi, signal: AbortSignal): Promise<z.infer<typeof identitySchema>> {
  const { body, headers } = await api.call("auth.test", { json: {}, schema: identitySchema }, signal);
  if (body.bot_id === undefined) throw new VendorFailure("invalid-input", "the entered bot token isn't a bot's");
  const granted = headers["x-oauth-scopes"]?.split(",").map((scope) => scope.trim());
  const missing = granted ? slackScopes.filter((scope) => !granted.includes(scope)) : [];
  if (missing.length === 0) return body;
  throw new VendorFailure(
    "forbidden",
    `the Slack app lacks ${missing.join(", ")}: update its manifest, install it again, and enter its bot token`,
  );
}

/** https://docs.slack.dev/authentication/tokens */
function requirePrefix(token: string, prefix: string, credential: string): void {
  if (token.startsWith(prefix)) return;
  throw new VendorFailure("invalid-input", `the entered ${credential} doesn't begin with ${prefix}`);
}

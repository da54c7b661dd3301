import { numbered } from "../alert-senders/setup-steps.ts";
import { slackAppUrl, slackManifest } from "./manifest.ts";

/** How an organization sets up its Slack app: for events over HTTP, or over Socket Mode where Slack can't reach the address. */
export function setupOfApp(address: string): string {
  const [http, socketMode] = [slackManifest(address), slackManifest(null)];
  return `[Create the Slack app](${slackAppUrl(http)}), or [create it with Socket Mode](${slackAppUrl(socketMode)}) if Slack can't reach this address.

\`\`\`App manifest
${JSON.stringify(http)}
\`\`\`

\`\`\`App manifest with Socket Mode
${JSON.stringify(socketMode)}
\`\`\`

${steps}`;
}

const steps = numbered(
  "Create the app with a link above, choose your workspace, and install it under **Install App**.",
  "Enter its tokens here: the signing secret is under **Basic Information**, the bot token under **OAuth & Permissions**. Socket Mode also needs an app-level token with `connections:write`.",
  "Without Socket Mode, choose **Retry** under **Event Subscriptions**: Slack then verifies this address.",
  "In a channel, type `/invite @Whence`. Then reply to an alert with `@Whence why?`",
);

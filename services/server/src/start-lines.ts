import type { RunningServer } from "./compose.ts";
import type { Config } from "./config.ts";

/** What a person reads after the start: where it listens, where the data is, how to get in, how to send the first event. */
export function startLines(config: Config, { address, appUrl, bootstrapped, newApiKey }: RunningServer): string[] {
  const role = config.role === "all" ? "" : ` as ${config.role}`;
  const head = [`Whence listens on ${address}${role}`, `  data      ${placesOf(config).join(", ")}`];
  if (bootstrapped === undefined) return head;
  const { openSetupToken } = bootstrapped;
  return [
    ...head,
    ...(newApiKey ? [`  API key   ${newApiKey}   (shown this once: keep it)`] : []),
    openSetupToken
      ? `  set-up    ${appUrl}/setup?token=${openSetupToken}   (works once: whoever opens it becomes the owner)`
      : `  log in    ${appUrl}/login`,
    `  next      instrument a service with @whence/node, or send an error text:`,
    `            curl ${address}/api/mcp/analyze -H 'content-type: application/json' \\`,
    `              -H 'x-api-key: ${newApiKey ?? "<your key>"}' -d '{"error_log": "TypeError: x is not a function"}'`,
  ];
}

/** Servers by their host alone: addresses carry passwords. */
function placesOf({ nats, clickHouse, postgres, dataDirectory }: Config): string[] {
  const servers = [nats?.servers.split(",")[0], clickHouse?.url, postgres?.url].flatMap((url) =>
    url === undefined ? [] : [`${new URL(url).protocol}//${new URL(url).host}`],
  );
  return servers.length === 3 ? servers : [...servers, dataDirectory];
}

import type { RunningServer } from "./compose.ts";
import type { Config } from "./config.ts";

/**
 * Returns what a person reads after the start: the address, the data's location, how to sign in, how to send the first
 * event.
 */
export function startLines(config: Config, { address, appUrl, bootstrapped, newKeys }: RunningServer): string[] {
  const role = config.role === "all" ? "" : ` as ${config.role}`;
  const head = [`Whence listens on ${address}${role}`, `  data      ${placesOf(config).join(", ")}`];
  if (bootstrapped === undefined) return head;
  const { openSetupToken } = bootstrapped;
  return [
    ...head,
    ...(newKeys
      ? [
          `  API key   ${newKeys.full}   (shown only once, so save it; has every scope)`,
          `  send key  ${newKeys.send}   (shown only once; for your services: can send telemetry, can't read)`,
        ]
      : []),
    openSetupToken
      ? `  set-up    ${appUrl}/setup?token=${openSetupToken}   (works once: the first person to open it becomes the owner)`
      : `  log in    ${appUrl}/login`,
    `  next      npm install ${address}/sdk/node.tgz   (the client; give it the send key)`,
    `            pip install --index-url ${address}/sdk/simple whence   (for Python), or send an error:`,
    `            curl ${address}/api/mcp/analyze -H 'content-type: application/json' \\`,
    `              -H 'x-api-key: ${newKeys?.full ?? "<your key>"}' -d '{"error_log": "TypeError: x is not a function"}'`,
  ];
}

/** Lists servers by host only, since addresses contain passwords. */
function placesOf({ nats, clickHouse, postgres, dataDirectory }: Config): string[] {
  const servers = [nats?.servers.split(",")[0], clickHouse?.url, postgres?.url].flatMap((url) =>
    url === undefined ? [] : [`${new URL(url).protocol}//${new URL(url).host}`],
  );
  return servers.length === 3 ? servers : [...servers, dataDirectory];
}

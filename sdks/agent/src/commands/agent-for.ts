import { join } from "node:path";
import { Agent } from "../agent.ts";
import type { AgentEntry } from "../credentials.ts";
import { defaultServiceUrl } from "../service-address.ts";
import { plainText } from "../terminal/plain-text.ts";
import { type CommandLine, type Surroundings, textOption } from "./command.ts";

/** The source under which the command line registers an agent. */
export const defaultSource = "whence-cli";

/** Returns the credentials folder in a user's home. */
export function credentialsFolder(home: string): string {
  return join(home, ".whence");
}

/** Returns the agent for a command line. Prints to standard error when it registers one. */
export function agentFor(line: CommandLine, surroundings: Surroundings, source = defaultSource): Agent {
  const { environment, home, stderr } = surroundings;
  return new Agent({
    url: textOption(line, "url") ?? environment.url ?? defaultServiceUrl,
    apiKey: environment.apiKey,
    source,
    folder: credentialsFolder(home),
    onRegistered: (entry) => stderr.write(registeredText(entry)),
  });
}

function registeredText({ agent_id, claim_url, expires_at }: AgentEntry): string {
  return plainText(
    `registered as ${agent_id}, unclaimed until ${expires_at}\n` +
      `claim it for your organization, signed in, at: ${claim_url}\n`,
  );
}

import { WhenceClient } from "../client.ts";
import { defaultServiceUrl } from "../service-address.ts";
import { type Surroundings, UsageError } from "./command.ts";

/** The client of a command that takes a key of an organization, and registers no agent. `url` comes before `WHENCE_URL`. */
export function organizationClient({ environment }: Pick<Surroundings, "environment">, url?: string): WhenceClient {
  const { apiKey } = environment;
  if (apiKey === undefined) {
    throw new UsageError("set WHENCE_API_KEY to a key of your organization: Settings, API keys, scope Release");
  }
  return new WhenceClient({ url: url ?? environment.url ?? defaultServiceUrl, apiKey });
}

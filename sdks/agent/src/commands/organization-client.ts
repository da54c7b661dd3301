import { WhenceClient } from "../client.ts";
import { defaultServiceUrl } from "../service-address.ts";
import { type Surroundings, UsageError } from "./command.ts";

/**
 * Returns the client for a command that needs an organization's key and registers no agent. `url` takes precedence over
 * `WHENCE_URL`; `scope` is the key's, as Settings names it.
 */
export function organizationClient(
  { environment }: Pick<Surroundings, "environment">,
  { url, scope = "Release" }: { readonly url?: string | undefined; readonly scope?: string } = {},
): WhenceClient {
  const { apiKey } = environment;
  if (apiKey === undefined) {
    throw new UsageError(`set WHENCE_API_KEY to a key of your organization: Settings, API keys, scope ${scope}`);
  }
  return new WhenceClient({ url: url ?? environment.url ?? defaultServiceUrl, apiKey });
}

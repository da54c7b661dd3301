import type { Grant } from "../authorization/authorization-flow.ts";
import { vendorAddress } from "../http/addresses.ts";
import { openGuardedFetch } from "../http/guarded-fetch.ts";
import { VendorFailure } from "../http/vendor-failure.ts";
import { vendorLimits } from "../http/vendor-limits.ts";
import type { OutboundContext } from "../outbound-context.ts";

/**
 * Returns the installation and its team from the callback's parameters.
 * https://vercel.com/docs/integrations/create-integration/submit-integration#redirect-url
 */
export async function vercelInstallation({ parameters }: Grant): Promise<Readonly<Record<string, string>>> {
  const named = [
    ["configuration_id", parameters.get("configurationId")],
    ["team_id", parameters.get("teamId")],
  ] as const;
  return Object.fromEntries(named.flatMap(([name, id]) => (id !== null && isId(id) ? [[name, id]] : [])));
}

/** Removes the installation, and with it the token. https://vercel.com/docs/rest-api/integrations/delete-an-integration-configuration */
export async function removeVercelInstallation(
  { configuration_id: id, team_id: teamId, api_token: token }: Readonly<Record<string, string>>,
  context: OutboundContext,
  signal: AbortSignal,
): Promise<void> {
  if (id === undefined || token === undefined) return;
  const url = vendorAddress("https://api.vercel.com/v1/integrations/configuration", context);
  url.pathname += `/${id}`;
  if (teamId !== undefined) url.searchParams.set("teamId", teamId);
  const { requestTimeoutMs: timeoutMs, grantBytesMax: bytesMax } = vendorLimits;
  const guarded = openGuardedFetch({ mayReach: context.mayReach, timeoutMs, bytesMax });
  try {
    const headers = { authorization: `Bearer ${token}` };
    const { ok, status } = await guarded.fetch(url.href, { method: "DELETE", headers, signal });
    if (!ok) throw new VendorFailure("unexpected-answer", `Vercel did not remove the installation (${status})`);
  } finally {
    await guarded.close();
  }
}

function isId(text: string): boolean {
  return /^\w{1,100}$/.test(text);
}

import { setTimeout as delay } from "node:timers/promises";
import type { IntegrationKindName } from "@whence/protocol";
import type { CredentialRenewal, IntegrationRepository } from "@whence/storage";
import {
  type AuthorizationFlow,
  applicationNotConfigured,
  authorizationFlow,
  type OAuthTokens,
  type OutboundContext,
  refreshTokens,
  VendorFailure,
  vendorLimits,
} from "@whence/vendors";
import { integrationLimits } from "../integration-limits.ts";

type Inputs = Readonly<Record<string, string>>;

/**
 * Returns the inputs of a connection, with its access token renewed shortly before it expires. One process renews it
 * while the others wait. Null when the kind isn't connected. Rejects with a {@link VendorFailure}.
 */
export async function freshInputs(
  integrations: IntegrationRepository,
  kind: IntegrationKindName,
  context: OutboundContext,
  signal: AbortSignal,
): Promise<Inputs | null> {
  for (;;) {
    signal.throwIfAborted();
    const inputs = await integrations.credentials(kind);
    if (!inputs || !isExpiring(inputs, context)) return inputs;
    const now = new Date(context.clock());
    const until = new Date(now.getTime() + integrationLimits.renewalMs);
    const renewal = await integrations.takeRenewal(kind, { now, until });
    const renewed = renewal && (await renew(renewal, kind, context));
    if (renewed) return { ...inputs, ...renewed };
    await delay(integrationLimits.renewalLookMs, undefined, { signal });
  }
}

/** The credentials of a connection by authorization, under the input names of the kind's vendor. */
export function authorizedCredentials({ tokenInput }: AuthorizationFlow, tokens: OAuthTokens): Inputs {
  const { accessToken, refreshToken, expiresAt } = tokens;
  if (tokenInput === null) return {};
  return {
    [tokenInput]: accessToken,
    ...(refreshToken === null ? {} : { refresh_token: refreshToken }),
    ...(expiresAt === null ? {} : { expires_at: expiresAt }),
  };
}

/** Null when the kind was connected again or disconnected in the meantime. */
async function renew(
  renewal: CredentialRenewal,
  kind: IntegrationKindName,
  context: OutboundContext,
): Promise<Inputs | null> {
  const { credentials } = renewal;
  try {
    // Another process may just have renewed them.
    if (!isExpiring(credentials, context)) return credentials;
    const renewed = { ...credentials, ...(await refreshed(credentials, kind, context)) };
    return (await renewal.keep(renewed, new Date(context.clock()))) ? renewed : null;
  } finally {
    await renewal.release();
  }
}

async function refreshed(credentials: Inputs, kind: IntegrationKindName, context: OutboundContext): Promise<Inputs> {
  const flow = authorizationFlow(kind, context.applications);
  if (!flow) throw applicationNotConfigured();
  const { refresh_token: refreshToken } = credentials;
  if (refreshToken === undefined) {
    throw new VendorFailure("unauthorized", `the authorization at ${flow.vendor} has expired: connect it again`);
  }
  return authorizedCredentials(flow, await refreshTokens(flow, refreshToken, context));
}

function isExpiring({ expires_at: expiresAt }: Inputs, { clock }: OutboundContext): boolean {
  return expiresAt !== undefined && Date.parse(expiresAt) - clock() <= vendorLimits.renewedBeforeMs;
}

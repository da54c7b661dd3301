import { allowInsecureRequests, customFetch, discoveryRequest, processDiscoveryResponse } from "oauth4webapi";
import { z } from "zod";
import { openGuardedFetch } from "../http/guarded-fetch.ts";
import { vendorLimits } from "../http/vendor-limits.ts";

const endpoint = z.url({ protocol: /^https?$/ });

/** Members that sign-in needs (OpenID Connect Discovery 1.0, section 3). */
const metadataSchema = z.object({
  issuer: endpoint,
  authorization_endpoint: endpoint,
  token_endpoint: endpoint,
  jwks_uri: endpoint,
  userinfo_endpoint: endpoint.optional(),
  id_token_signing_alg_values_supported: z.array(z.string()).min(1),
  /** Providers that don't say take the secret in a header. */
  token_endpoint_auth_methods_supported: z.array(z.string()).default(["client_secret_basic"]),
});

/** What an OpenID provider says about itself, with its own names. */
export type ProviderMetadata = z.infer<typeof metadataSchema>;

/**
 * Asks an OpenID provider for its metadata, at any address: the operator names the issuer. Rejects when the provider
 * doesn't answer, answers something else, or names another issuer.
 */
export async function discoverProvider(issuer: string): Promise<ProviderMetadata> {
  const identifier = new URL(issuer);
  const guarded = openGuardedFetch({
    mayReach: () => true,
    timeoutMs: vendorLimits.requestTimeoutMs,
    bytesMax: vendorLimits.grantBytesMax,
  });
  try {
    const answer = await discoveryRequest(identifier, {
      [customFetch]: guarded.fetch,
      [allowInsecureRequests]: identifier.protocol === "http:",
    });
    return metadataSchema.parse(await processDiscoveryResponse(identifier, answer));
  } finally {
    await guarded.close();
  }
}

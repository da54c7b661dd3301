import { secondMs } from "@whence/protocol";
import {
  AuthorizationResponseError,
  type AuthorizationServer,
  allowInsecureRequests,
  authorizationCodeGrantRequest,
  ClientSecretPost,
  calculatePKCECodeChallenge,
  clientCredentialsGrantRequest,
  customFetch,
  nopkce,
  OperationProcessingError,
  processAuthorizationCodeResponse,
  processClientCredentialsResponse,
  processRefreshTokenResponse,
  processRevocationResponse,
  ResponseBodyError,
  refreshTokenGrantRequest,
  revocationRequest,
  type TokenEndpointResponse,
  validateAuthResponse,
  WWWAuthenticateChallengeError,
} from "oauth4webapi";
import { vendorAddress } from "../http/addresses.ts";
import { openGuardedFetch } from "../http/guarded-fetch.ts";
import { AddressRefused } from "../http/guarded-lookup.ts";
import { VendorFailure } from "../http/vendor-failure.ts";
import { vendorLimits } from "../http/vendor-limits.ts";
import type { OutboundContext } from "../outbound-context.ts";
import type { AuthorizationFlow, OAuthTokens } from "./authorization-flow.ts";

/** Where an application gets its tokens. */
export type TokenEndpoint = Pick<AuthorizationFlow, "vendor" | "application" | "tokenUrl" | "revokeUrl">;

/** The secrets that the start and the end of one authorization share. */
export interface AuthorizationSecrets {
  readonly state: string;
  /** The code verifier of PKCE (RFC 7636). */
  readonly verifier: string;
  readonly redirectUri: string;
}

/** The person declined at the vendor. */
export class AuthorizationDenied extends Error {
  constructor(vendor: string) {
    super(`the authorization at ${vendor} was denied`);
    this.name = "AuthorizationDenied";
  }
}

/** Returns the URL to which the person is sent to authorize. */
export async function authorizeUrl(
  flow: AuthorizationFlow,
  { state, verifier, redirectUri }: AuthorizationSecrets,
  context: OutboundContext,
): Promise<string> {
  const url = vendorAddress(flow.authorizeUrl, context);
  const challenge = flow.hasPkce
    ? { code_challenge: await calculatePKCECodeChallenge(verifier), code_challenge_method: "S256" }
    : {};
  const parameters = {
    response_type: "code",
    client_id: flow.application.clientId,
    redirect_uri: redirectUri,
    state,
    ...(flow.scope === null ? {} : { scope: flow.scope }),
    ...challenge,
  };
  for (const [name, value] of Object.entries(parameters)) url.searchParams.set(name, value);
  return url.href;
}

/** Exchanges the code of a callback. Rejects with {@link AuthorizationDenied} or a {@link VendorFailure}. */
export function exchangeCode(
  flow: AuthorizationFlow,
  parameters: URLSearchParams,
  { state, verifier, redirectUri }: AuthorizationSecrets,
  context: OutboundContext,
): Promise<OAuthTokens> {
  return atVendor(flow, context, async ({ server, client, authentication, options }) => {
    const named = new URLSearchParams(parameters);
    // Each vendor has a callback of its own, so a response can't come from another one (RFC 9700, 4.4.2).
    named.delete("iss");
    const validated = validateAuthResponse(server, client, named, state);
    // A person who was sent on to install the application comes back with a code without a challenge.
    const proof = flow.hasPkce && !parameters.has("installation_id") ? verifier : nopkce;
    const answer = await authorizationCodeGrantRequest(
      ...([server, client, authentication, validated, redirectUri, proof, options] as const),
    );
    return tokensOf(await processAuthorizationCodeResponse(server, client, answer), context);
  });
}

/** Renews an access token that expires. Rejects with a {@link VendorFailure}, `unauthorized` once it was revoked. */
export function refreshTokens(
  flow: AuthorizationFlow,
  refreshToken: string,
  context: OutboundContext,
): Promise<OAuthTokens> {
  return atVendor(flow, context, async ({ server, client, authentication, options }) => {
    const answer = await refreshTokenGrantRequest(server, client, authentication, refreshToken, options);
    return tokensOf(await processRefreshTokenResponse(server, client, answer), context);
  });
}

/** Gets an application's own token, without a person (RFC 6749, 4.4). Rejects with a {@link VendorFailure}. */
export function clientTokens(at: TokenEndpoint, scope: string, context: OutboundContext): Promise<OAuthTokens> {
  return atVendor(at, context, async ({ server, client, authentication, options }) => {
    const parameters = new URLSearchParams({ scope });
    const answer = await clientCredentialsGrantRequest(server, client, authentication, parameters, options);
    return tokensOf(await processClientCredentialsResponse(server, client, answer), context);
  });
}

/** Revokes a token (RFC 7009). Rejects with a {@link VendorFailure}. */
export function revokeToken(flow: AuthorizationFlow, token: string, context: OutboundContext): Promise<void> {
  return atVendor(flow, context, async ({ server, client, authentication, options }) => {
    await processRevocationResponse(await revocationRequest(server, client, authentication, token, options));
  });
}

interface AtVendor {
  readonly server: AuthorizationServer;
  readonly client: { readonly client_id: string };
  readonly authentication: ReturnType<typeof ClientSecretPost>;
  readonly options: {
    readonly [customFetch]: (address: string, init: object) => Promise<Response>;
    readonly [allowInsecureRequests]: boolean;
  };
}

async function atVendor<Result>(
  flow: TokenEndpoint,
  context: OutboundContext,
  ask: (vendor: AtVendor) => Promise<Result>,
): Promise<Result> {
  const guarded = openGuardedFetch({
    mayReach: context.mayReach,
    timeoutMs: vendorLimits.requestTimeoutMs,
    bytesMax: vendorLimits.grantBytesMax,
  });
  const token = vendorAddress(flow.tokenUrl, context);
  const server = {
    issuer: token.origin,
    token_endpoint: token.href,
    ...(flow.revokeUrl === null ? {} : { revocation_endpoint: vendorAddress(flow.revokeUrl, context).href }),
  };
  try {
    return await ask({
      server,
      client: { client_id: flow.application.clientId },
      authentication: ClientSecretPost(flow.application.clientSecret),
      // An operator's own instance may use plain HTTP; the vendors' documented URLs all use TLS.
      options: { [customFetch]: guarded.fetch, [allowInsecureRequests]: token.protocol === "http:" },
    });
  } catch (error) {
    throw failureOf(error, flow.vendor);
  } finally {
    await guarded.close();
  }
}

const statusFailed = 500;

/** Never includes the vendor's own text, because an error description may repeat what was sent. */
function failureOf(error: unknown, vendor: string): Error {
  if (error instanceof VendorFailure) return error;
  const denied = error instanceof AuthorizationResponseError ? error.error : null;
  if (denied === "access_denied") return new AuthorizationDenied(vendor);
  if (denied !== null) return new VendorFailure("forbidden", `${vendor} refused to authorize (${shortCode(denied)})`);
  const code = errorCode(error);
  if (code === "invalid_grant") {
    return new VendorFailure("unauthorized", `${vendor} no longer accepts this authorization: connect it again`);
  }
  if (code !== null) {
    return new VendorFailure("forbidden", `${vendor} refused the service's application (${shortCode(code)})`);
  }
  return unansweredOf(error, vendor);
}

/** The code of a refusal; some vendors also send it in `WWW-Authenticate`, which the library reads first. */
function errorCode(error: unknown): string | null {
  if (error instanceof ResponseBodyError) return error.error;
  if (!(error instanceof WWWAuthenticateChallengeError)) return null;
  return error.cause.map(({ parameters }) => parameters.error).find((code) => code !== undefined) ?? "unauthorized";
}

function unansweredOf(error: unknown, vendor: string): VendorFailure {
  if (error instanceof AddressRefused) return new VendorFailure("refused-address", error.message);
  if (error instanceof Error && error.cause instanceof AddressRefused) return unansweredOf(error.cause, vendor);
  if (error instanceof Error && error.name === "TimeoutError") {
    const seconds = vendorLimits.requestTimeoutMs / secondMs;
    return new VendorFailure("too-slow", `${vendor} did not answer within ${seconds} seconds`);
  }
  const status = error instanceof Error && error.cause instanceof Response ? error.cause.status : 0;
  if (error instanceof OperationProcessingError && status < statusFailed) {
    return new VendorFailure("unexpected-answer", `${vendor} didn't accept the authorization: start again`);
  }
  return new VendorFailure("unavailable", `${vendor} can't be reached`);
}

/** RFC 6749 defines a short list of codes; a longer text isn't one. */
function shortCode(code: string): string {
  return /^[a-z_]{1,40}$/.test(code) ? code : "no known reason";
}

function tokensOf(
  { access_token, refresh_token, expires_in }: TokenEndpointResponse,
  context: OutboundContext,
): OAuthTokens {
  return {
    accessToken: access_token,
    refreshToken: refresh_token ?? null,
    expiresAt: expires_in === undefined ? null : new Date(context.clock() + expires_in * secondMs).toISOString(),
  };
}

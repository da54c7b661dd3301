import { discoverProvider } from "@whence/vendors";
import type { BetterAuthPlugin } from "better-auth";
import { analyzerErrors } from "../errors.ts";
import type { Auth } from "./create-auth.ts";
import { type IdentityOptions, type OpenIdApplication, openIdProvider } from "./identity-options.ts";
import { openIdPlugin } from "./openid-plugin.ts";

export const providerUnavailable = "WHENCE_ERR_IDENTITY_PROVIDER_UNAVAILABLE";

/** How long the library may take to read the metadata that we have read just before. */
const readAgainWithinMs = 5_000;

/** How long a failure to reach the provider is answered with again, so that no visitor has it asked at will. */
export const providerRestMs = 5_000;

/**
 * Returns what gives the identity library with the provider added. The library asks a provider for its metadata once,
 * when it is created, and goes without a provider that doesn't answer. So it is created on the first use, and again as
 * long as the provider isn't reached, at most once in {@link providerRestMs}. Rejects with {@link providerUnavailable}.
 */
export function providerReacher(
  application: OpenIdApplication,
  create: (plugin: BetterAuthPlugin) => Auth,
  { clock, logger }: Pick<IdentityOptions, "clock" | "logger">,
): () => Promise<Auth> {
  let reaching: Promise<Auth> | undefined;
  let failedAt: number | undefined;
  return () => {
    if (failedAt !== undefined && clock() - failedAt >= providerRestMs) {
      reaching = undefined;
      failedAt = undefined;
    }
    reaching ??= reach(application, create).catch((cause: unknown) => {
      failedAt = clock();
      logger.error({ err: cause, issuer: application.issuer }, "could not reach the sign-in provider");
      throw analyzerErrors.create(providerUnavailable, [application.name], { cause });
    });
    return reaching;
  };
}

async function reach(application: OpenIdApplication, create: (plugin: BetterAuthPlugin) => Auth): Promise<Auth> {
  const metadata = await discoverProvider(application.issuer);
  const auth = create(openIdPlugin(application, metadata));
  const { socialProviders } = await within(readAgainWithinMs, auth.$context);
  const isReached = socialProviders.some(({ id, issuer }) => id === openIdProvider && issuer === metadata.issuer);
  if (!isReached) throw new Error(`the metadata of ${metadata.issuer} changed while it was read`);
  return auth;
}

/** Rejects after the time; the library reads without a limit. */
async function within<Value>(ms: number, value: Promise<Value>): Promise<Value> {
  const late = Promise.withResolvers<never>();
  const timer = setTimeout(() => late.reject(new Error(`no answer within ${ms} ms`)), ms);
  try {
    return await Promise.race([value, late.promise]);
  } finally {
    clearTimeout(timer);
  }
}

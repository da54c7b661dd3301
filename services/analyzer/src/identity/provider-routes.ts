import { parseJson, WhenceError } from "@whence/protocol";
import type { BetterAuthPlugin } from "better-auth";
import { z } from "zod";
import type { Auth } from "./create-auth.ts";
import { type IdentityOptions, openIdProvider } from "./identity-options.ts";
import { providerReacher, providerUnavailable } from "./reach-provider.ts";

const callbackPath = `/api/auth/callback/${openIdProvider}`;
/** Routes that start at the provider that their body names. */
const startPaths: readonly string[] = ["/api/auth/sign-in/social", "/api/auth/link-social"];
const startSchema = z.object({ provider: z.literal(openIdProvider) });

/** Answers a request about the OpenID provider; null for any other request. */
export type ProviderRoutes = (request: Request, answer: (auth: Auth) => Promise<Response>) => Promise<Response | null>;

/** The routes that need the operator's OpenID provider, so that no other sign-in waits for it. */
export function providerRoutes(
  { providers, appUrl, clock, logger }: Pick<IdentityOptions, "providers" | "appUrl" | "clock" | "logger">,
  create: (plugin: BetterAuthPlugin) => Auth,
): ProviderRoutes {
  const application = providers?.oidc;
  if (!application) return async () => null;
  const reach = providerReacher(application, create, { clock, logger });
  return async (request, answer) => {
    const { pathname } = new URL(request.url);
    if (pathname !== callbackPath) return (await isStart(request, pathname)) ? answer(await reach()) : null;
    try {
      return await answer(await reach());
    } catch (error) {
      if (!(error instanceof WhenceError) || error.code !== providerUnavailable) throw error;
      // A person's browser is here, and the sign-in page can say what to do.
      return Response.redirect(`${appUrl}/login?error=provider_unavailable`);
    }
  };
}

async function isStart(request: Request, pathname: string): Promise<boolean> {
  if (!startPaths.includes(pathname) || request.method !== "POST") return false;
  return startSchema.safeParse(parseJson(await request.clone().text())).success;
}

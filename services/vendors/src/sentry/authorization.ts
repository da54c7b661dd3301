import type { IntegrationApplications } from "../applications.ts";
import type { AuthorizationFlow } from "../authorization/authorization-flow.ts";
import { sentryOrganization } from "./organization.ts";

/**
 * https://docs.sentry.io/product/partnership-platform/oauth-integration/, which mentions neither PKCE nor revocation.
 */
export function sentryFlow({ sentry }: IntegrationApplications): AuthorizationFlow | null {
  if (!sentry) return null;
  return {
    vendor: "Sentry",
    application: sentry,
    hasPkce: false,
    tokenInput: "bearer_token",
    scope: "org:read project:read event:read",
    authorizeUrl: "https://sentry.io/oauth/authorize/",
    tokenUrl: "https://sentry.io/oauth/token/",
    revokeUrl: null,
    inputs: sentryOrganization,
  };
}

import type { IntegrationApplications } from "../applications.ts";
import type { AuthorizationFlow } from "../authorization/authorization-flow.ts";

/** https://linear.app/developers/oauth-2-0-authentication */
export function linearFlow({ linear }: IntegrationApplications): AuthorizationFlow | null {
  if (!linear) return null;
  return {
    vendor: "Linear",
    application: linear,
    scope: "read",
    hasPkce: true,
    tokenInput: "access_token",
    authorizeUrl: "https://linear.app/oauth/authorize",
    tokenUrl: "https://api.linear.app/oauth/token",
    revokeUrl: "https://api.linear.app/oauth/revoke",
  };
}

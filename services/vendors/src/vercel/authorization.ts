import type { IntegrationApplications } from "../applications.ts";
import type { AuthorizationFlow } from "../authorization/authorization-flow.ts";
import { removeVercelInstallation, vercelInstallation } from "./installation.ts";

/** https://vercel.com/docs/rest-api/vercel-api-integrations: the integration's registration determines the scopes. */
export function vercelFlow({ vercel }: IntegrationApplications): AuthorizationFlow | null {
  if (!vercel) return null;
  return {
    vendor: "Vercel",
    application: vercel,
    scope: null,
    hasPkce: false,
    tokenInput: "api_token",
    authorizeUrl: `https://vercel.com/integrations/${encodeURIComponent(vercel.slug)}/new`,
    tokenUrl: "https://api.vercel.com/v2/oauth/access_token",
    revokeUrl: null,
    inputs: vercelInstallation,
    end: removeVercelInstallation,
  };
}

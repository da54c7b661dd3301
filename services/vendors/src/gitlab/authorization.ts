import type { IntegrationApplications } from "../applications.ts";
import type { AuthorizationFlow } from "../authorization/authorization-flow.ts";

/** https://docs.gitlab.com/api/oauth2/ */
export function gitLabFlow({ gitlab }: IntegrationApplications): AuthorizationFlow | null {
  if (!gitlab) return null;
  const { scope = "read_api" } = gitlab;
  return {
    vendor: "GitLab",
    application: gitlab,
    scope,
    hasPkce: true,
    tokenInput: "access_token",
    authorizeUrl: `${gitlab.url}/oauth/authorize`,
    tokenUrl: `${gitlab.url}/oauth/token`,
    revokeUrl: `${gitlab.url}/oauth/revoke`,
  };
}

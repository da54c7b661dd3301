import type { IntegrationApplications } from "../applications.ts";
import type { AuthorizationFlow } from "../authorization/authorization-flow.ts";
import { githubInstallation } from "./installation.ts";

/** https://docs.github.com/en/apps/creating-github-apps/authenticating-with-a-github-app/generating-a-user-access-token-for-a-github-app */
export function gitHubFlow({ github }: IntegrationApplications): AuthorizationFlow | null {
  if (!github) return null;
  return {
    vendor: "GitHub",
    application: github,
    scope: null,
    hasPkce: true,
    tokenInput: null,
    authorizeUrl: "https://github.com/login/oauth/authorize",
    tokenUrl: "https://github.com/login/oauth/access_token",
    revokeUrl: null,
    inputs: (grant, context, signal) => githubInstallation(github, grant, context, signal),
  };
}

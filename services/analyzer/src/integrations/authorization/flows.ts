import type { IntegrationKindName } from "@whence/protocol";
import type { IntegrationApplications } from "./applications.ts";
import type { AuthorizationFlow } from "./authorization-flow.ts";
import { githubInstallation } from "./github-installation.ts";
import { sentryOrganization } from "./sentry-organization.ts";
import { removeVercelInstallation, vercelInstallation } from "./vercel-installation.ts";

type FlowOf = (applications: IntegrationApplications) => AuthorizationFlow | null;

/** The kinds that are connected by authorization, each with the vendor's documented addresses. */
const flows: Partial<Record<IntegrationKindName, FlowOf>> = {
  /** https://docs.github.com/en/apps/creating-github-apps/authenticating-with-a-github-app/generating-a-user-access-token-for-a-github-app */
  "code-hosting-1": ({ github }) =>
    github === undefined
      ? null
      : {
          ...{ vendor: "GitHub", application: github, scope: null, hasPkce: true, tokenInput: null },
          authorizeUrl: "https://github.com/login/oauth/authorize",
          tokenUrl: "https://github.com/login/oauth/access_token",
          revokeUrl: null,
          inputs: (grant, context, signal) => githubInstallation(github, grant, context, signal),
        },
  /** https://docs.gitlab.com/api/oauth2/ */
  "code-hosting-2": ({ gitlab }) =>
    gitlab === undefined
      ? null
      : {
          ...{ vendor: "GitLab", application: gitlab, scope: "read_api", hasPkce: true, tokenInput: "access_token" },
          authorizeUrl: `${gitlab.url}/oauth/authorize`,
          tokenUrl: `${gitlab.url}/oauth/token`,
          revokeUrl: `${gitlab.url}/oauth/revoke`,
        },
  /** https://linear.app/developers/oauth-2-0-authentication */
  "issue-tracker": ({ linear }) =>
    linear === undefined
      ? null
      : {
          ...{ vendor: "Linear", application: linear, scope: "read", hasPkce: true, tokenInput: "access_token" },
          authorizeUrl: "https://linear.app/oauth/authorize",
          tokenUrl: "https://api.linear.app/oauth/token",
          revokeUrl: "https://api.linear.app/oauth/revoke",
        },
  /** https://docs.sentry.io/product/partnership-platform/oauth-integration/, which names no PKCE and no revocation. */
  "error-tracker": ({ sentry }) =>
    sentry === undefined
      ? null
      : {
          ...{ vendor: "Sentry", application: sentry, hasPkce: false, tokenInput: "bearer_token" },
          scope: "org:read project:read event:read",
          authorizeUrl: "https://sentry.io/oauth/authorize/",
          tokenUrl: "https://sentry.io/oauth/token/",
          revokeUrl: null,
          inputs: sentryOrganization,
        },
  /** https://vercel.com/docs/rest-api/vercel-api-integrations: the integration's registration has its scopes. */
  hosting: ({ vercel }) =>
    vercel === undefined
      ? null
      : {
          ...{ vendor: "Vercel", application: vercel, scope: null, hasPkce: false, tokenInput: "api_token" },
          authorizeUrl: `https://vercel.com/integrations/${encodeURIComponent(vercel.slug)}/new`,
          tokenUrl: "https://api.vercel.com/v2/oauth/access_token",
          revokeUrl: null,
          inputs: vercelInstallation,
          end: removeVercelInstallation,
        },
};

/** How a kind is authorized; null when the operator registered no application for it. */
export function authorizationFlow(
  kind: IntegrationKindName,
  applications: IntegrationApplications = {},
): AuthorizationFlow | null {
  return flows[kind]?.(applications) ?? null;
}

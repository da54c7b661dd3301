/** An application that the operator registered with a vendor. */
export interface OAuthApplication {
  readonly clientId: string;
  readonly clientSecret: string;
}

/** A GitHub App. */
export interface GitHubApp extends OAuthApplication {
  /** Its name in URLs: `https://github.com/apps/<slug>`. */
  readonly slug: string;
  /** In PEM format. */
  readonly privateKey: string;
}

/** An application at a GitLab instance. */
export interface GitLabApplication extends OAuthApplication {
  /** The URL of the instance. */
  readonly url: string;
  /** What tokens may do: `read_api`, the default, or `api`, which merge requests need. */
  readonly scope?: GitLabScope;
}

export const gitLabScopes = ["read_api", "api"] as const;
type GitLabScope = (typeof gitLabScopes)[number];

/** The applications that organizations can authorize. A kind without one can't be connected by authorization. */
export interface IntegrationApplications {
  readonly github?: GitHubApp;
  readonly gitlab?: GitLabApplication;
  readonly linear?: OAuthApplication;
  readonly sentry?: OAuthApplication;
  /** A public integration at Sentry, which sends webhooks. */
  readonly sentryApp?: Pick<OAuthApplication, "clientSecret">;
  /** `slug` is the integration's name in URLs: `https://vercel.com/integrations/<slug>`. */
  readonly vercel?: OAuthApplication & { readonly slug: string };
}

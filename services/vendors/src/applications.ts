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

/** The applications that organizations can authorize. A kind without one can't be connected by authorization. */
export interface IntegrationApplications {
  readonly github?: GitHubApp;
  /** `url` is the URL of the GitLab instance. */
  readonly gitlab?: OAuthApplication & { readonly url: string };
  readonly linear?: OAuthApplication;
  readonly sentry?: OAuthApplication;
  /** A public integration at Sentry, which sends webhooks. */
  readonly sentryApp?: Pick<OAuthApplication, "clientSecret">;
  /** `slug` is the integration's name in URLs: `https://vercel.com/integrations/<slug>`. */
  readonly vercel?: OAuthApplication & { readonly slug: string };
}

import { createPrivateKey } from "node:crypto";
import { gitLabScopes, type IntegrationApplications } from "@whence/vendors";
import { z } from "zod";

const clientId = (where: string) => z.string().min(1).optional().describe(`the client id of ${where}`);
const itsSecret = z.string().min(1).optional().describe("its secret");
const slug = (where: string) =>
  z
    .string()
    .regex(/^[\w-]+$/)
    .optional()
    .describe(`its name in addresses, the last part of ${where}`);

/**
 * A PEM key; in an environment file it is on one line, with line breaks written as `
 * `.
 */
const privateKey = z
  .string()
  .transform((text) => text.replaceAll("\\n", "\n").trim())
  .refine(isPrivateKey);

/** The variables of the applications that organizations authorize to connect integrations. */
export const integrationVariables = {
  WHENCE_GITHUB_APP_CLIENT_ID: clientId("a GitHub App"),
  WHENCE_GITHUB_APP_CLIENT_SECRET: itsSecret,
  WHENCE_GITHUB_APP_SLUG: slug("https://github.com/apps/NAME"),
  WHENCE_GITHUB_APP_PRIVATE_KEY: privateKey.optional().describe("its private key in PEM, line ends may be written \\n"),
  WHENCE_GITLAB_URL: z
    .url({ protocol: /^https?$/ })
    .default("https://gitlab.com")
    .describe("the address of a GitLab instance"),
  WHENCE_GITLAB_CLIENT_ID: clientId("an OAuth application at that instance"),
  WHENCE_GITLAB_CLIENT_SECRET: itsSecret,
  WHENCE_GITLAB_SCOPE: z
    .enum(gitLabScopes)
    .default("read_api")
    .describe("the scope that its tokens get: `read_api`, or `api` to open merge requests"),
  WHENCE_LINEAR_CLIENT_ID: clientId("an OAuth application at Linear"),
  WHENCE_LINEAR_CLIENT_SECRET: itsSecret,
  WHENCE_SENTRY_CLIENT_ID: clientId("an OAuth application at Sentry"),
  WHENCE_SENTRY_CLIENT_SECRET: itsSecret,
  WHENCE_SENTRY_APP_SECRET: z
    .string()
    .min(1)
    .optional()
    .describe("the client secret of a public integration at Sentry, which sends webhooks"),
  WHENCE_VERCEL_CLIENT_ID: clientId("an integration at Vercel"),
  WHENCE_VERCEL_CLIENT_SECRET: itsSecret,
  WHENCE_VERCEL_SLUG: slug("https://vercel.com/integrations/NAME"),
};

const variablesSchema = z.object(integrationVariables);

/** Variables whose values never appear in a message. */
export const secretIntegrationVariables = [
  "WHENCE_GITHUB_APP_CLIENT_SECRET",
  "WHENCE_GITHUB_APP_PRIVATE_KEY",
  "WHENCE_GITLAB_CLIENT_SECRET",
  "WHENCE_LINEAR_CLIENT_SECRET",
  "WHENCE_SENTRY_CLIENT_SECRET",
  "WHENCE_SENTRY_APP_SECRET",
  "WHENCE_VERCEL_CLIENT_SECRET",
] as const satisfies readonly (keyof z.infer<typeof variablesSchema>)[];

/** Returns the configured applications, each once all of its variables are set. */
export function integrationApplications(variables: z.infer<typeof variablesSchema>): IntegrationApplications {
  const github = whole({
    clientId: variables.WHENCE_GITHUB_APP_CLIENT_ID,
    clientSecret: variables.WHENCE_GITHUB_APP_CLIENT_SECRET,
    slug: variables.WHENCE_GITHUB_APP_SLUG,
    privateKey: variables.WHENCE_GITHUB_APP_PRIVATE_KEY,
  });
  const gitlab = whole({
    clientId: variables.WHENCE_GITLAB_CLIENT_ID,
    clientSecret: variables.WHENCE_GITLAB_CLIENT_SECRET,
    url: variables.WHENCE_GITLAB_URL.replace(/\/+$/, ""),
  });
  const linear = whole({
    clientId: variables.WHENCE_LINEAR_CLIENT_ID,
    clientSecret: variables.WHENCE_LINEAR_CLIENT_SECRET,
  });
  const sentry = whole({
    clientId: variables.WHENCE_SENTRY_CLIENT_ID,
    clientSecret: variables.WHENCE_SENTRY_CLIENT_SECRET,
  });
  const sentryApp = whole({ clientSecret: variables.WHENCE_SENTRY_APP_SECRET });
  const vercel = whole({
    clientId: variables.WHENCE_VERCEL_CLIENT_ID,
    clientSecret: variables.WHENCE_VERCEL_CLIENT_SECRET,
    slug: variables.WHENCE_VERCEL_SLUG,
  });
  return {
    ...(github && { github }),
    ...(gitlab && { gitlab: { ...gitlab, scope: variables.WHENCE_GITLAB_SCOPE } }),
    ...(linear && { linear }),
    ...(sentry && { sentry }),
    ...(sentryApp && { sentryApp }),
    ...(vercel && { vercel }),
  };
}

type Parts = Readonly<Record<string, string | undefined>>;

function whole<Some extends Parts>(parts: Some): { readonly [Name in keyof Some]: string } | undefined {
  return isWhole(parts) ? parts : undefined;
}

function isWhole<Some extends Parts>(parts: Some): parts is Some & { readonly [Name in keyof Some]: string } {
  return Object.values(parts).every((part) => part !== undefined);
}

function isPrivateKey(text: string): boolean {
  try {
    return createPrivateKey(text).asymmetricKeyType === "rsa";
  } catch {
    return false;
  }
}

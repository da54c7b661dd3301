import type { OpenIdApplication } from "@whence/analyzer";
import { z } from "zod";

/** Over plain HTTP, anyone on the way could sign in as anyone. On the same machine there is no way in between. */
const issuer = z.union([
  z.url({ protocol: /^https$/ }),
  z.url({ protocol: /^http$/, hostname: /^(localhost|127\.0\.0\.1|\[::1\])$/ }),
]);

/** The variables of the OpenID provider that people sign in with. */
export const openIdVariables = {
  WHENCE_OIDC_ISSUER: issuer.optional().describe("the https:// address of an OpenID provider, its issuer"),
  WHENCE_OIDC_CLIENT_ID: z.string().min(1).optional().describe("the client id of an application there"),
  WHENCE_OIDC_CLIENT_SECRET: z.string().min(1).optional().describe("its secret"),
  WHENCE_OIDC_NAME: z
    .string()
    .min(1)
    .max(60)
    .default("single sign-on")
    .describe("what people know it by, for the button, up to 60 characters"),
};

const variablesSchema = z.object(openIdVariables);
type OpenIdVariables = z.infer<typeof variablesSchema>;

/** Variables whose values never appear in a message. */
export const secretOpenIdVariables = [
  "WHENCE_OIDC_CLIENT_SECRET",
] as const satisfies readonly (keyof OpenIdVariables)[];

/** Returns the application at the OpenID provider; null without one, and the missing variable if only some are set. */
export function openIdApplication(
  variables: OpenIdVariables,
): OpenIdApplication | { readonly wrong: keyof OpenIdVariables } | null {
  const { WHENCE_OIDC_ISSUER: issuer, WHENCE_OIDC_CLIENT_ID: clientId, WHENCE_OIDC_NAME: name } = variables;
  const { WHENCE_OIDC_CLIENT_SECRET: clientSecret } = variables;
  if (issuer !== undefined && clientId !== undefined && clientSecret !== undefined) {
    return { issuer, clientId, clientSecret, name };
  }
  const required = ["WHENCE_OIDC_ISSUER", "WHENCE_OIDC_CLIENT_ID", "WHENCE_OIDC_CLIENT_SECRET"] as const;
  const missing = required.filter((variable) => variables[variable] === undefined);
  return missing.length === required.length ? null : { wrong: missing[0] ?? "WHENCE_OIDC_ISSUER" };
}

import { parseJson } from "@whence/protocol";
import type { ProviderMetadata } from "@whence/vendors";
import { genericOAuth } from "better-auth/plugins/generic-oauth";
import { z } from "zod";
import { type OpenIdApplication, openIdProvider } from "./identity-options.ts";

/**
 * Sign-in by the authorization code flow of OpenID Connect with PKCE, a state, and a nonce. ID tokens are verified
 * against the provider's keys, issuer, and audience. An account belongs to a subject of an issuer: another provider may
 * call someone else the same.
 */
export function openIdPlugin(application: OpenIdApplication, metadata: ProviderMetadata) {
  const { name, clientId, clientSecret } = application;
  return genericOAuth({
    config: [
      {
        providerId: openIdProvider,
        name,
        clientId,
        clientSecret,
        discoveryUrl: `${application.issuer.replace(/\/$/, "")}/.well-known/openid-configuration`,
        requireIdTokenVerification: true,
        scopes: ["openid", "email", "profile"],
        pkce: true,
        authentication: metadata.token_endpoint_auth_methods_supported.includes("client_secret_basic")
          ? "basic"
          : "post",
        accountSubject: ({ tokens: { idToken }, profile: { sub } }) =>
          isSubjectOf(idToken, sub) ? subjectAt(metadata.issuer, sub) : "",
        mapProfileToUser: ({ email, email_verified: isVerified, name: fullName, preferred_username: userName }) => ({
          name: firstText(fullName, userName, email),
          // Some providers send the claim as text, and the text "false" would count as true.
          emailVerified: isVerified === true || isVerified === "true",
        }),
      },
    ],
  });
}

const subjectSchema = z.object({ sub: z.string() });

/**
 * Whether a profile is of the person whom the ID token names: the answer of the user-info endpoint may be of someone else
 * (https://openid.net/specs/openid-connect-core-1_0.html#UserInfoResponse). The library has verified the token by now.
 */
function isSubjectOf(idToken: string | undefined, subject: unknown): boolean {
  const [, claims = ""] = (idToken ?? "").split(".");
  const parsed = subjectSchema.safeParse(parseJson(Buffer.from(claims, "base64url").toString("utf8")));
  return parsed.success && parsed.data.sub === subject;
}

/** What an account is found by. The library refuses empty text, so a profile without a subject signs no one in. */
function subjectAt(issuer: string, subject: unknown): string {
  return typeof subject === "string" && subject.trim() !== "" ? `${issuer} ${subject}` : "";
}

function firstText(...claims: readonly unknown[]): string {
  return claims.filter((claim) => typeof claim === "string").find((claim) => claim.trim() !== "") ?? "";
}

/** The client's replacement for text that `beforeSend` should have seen but didn't (docs/sdk/redaction.md). */
export const withheldText = "[withheld: beforeSend failed]";

/**
 * Field names whose values never leave a client; the gateway replaces them again. Matched exactly, ignoring case
 * (specification, Events, rule 5).
 */
export const redactedNames: readonly string[] = [
  "password",
  "passwd",
  "secret",
  "api_key",
  "apikey",
  "token",
  "auth",
  "authorization",
  "cookie",
  "csrf",
  "session",
  "credit_card",
  "ssn",
];

/**
 * Other headers that carry credentials. They are replaced only if a program asks for it. Names as in HTTP, compared
 * ignoring case.
 */
export const credentialHeaders: readonly string[] = [
  "set-cookie",
  "proxy-authorization",
  "x-api-key",
  "api-key",
  "x-apikey",
  "x-auth-token",
  "x-access-token",
  "x-refresh-token",
  "x-id-token",
  "x-session-token",
  "x-session-id",
  "x-csrf-token",
  "x-xsrf-token",
  "csrf-token",
  "x-amz-security-token",
  "x-goog-api-key",
  "x-goog-iap-jwt-assertion",
  "x-amzn-oidc-data",
  "x-amzn-oidc-accesstoken",
  "x-ms-token-aad-access-token",
  "x-ms-token-aad-id-token",
  "cf-access-jwt-assertion",
  "cf-access-client-secret",
  "ocp-apim-subscription-key",
  "x-functions-key",
  "x-forwarded-access-token",
  "x-forwarded-authorization",
  "x-vault-token",
  "x-gitlab-token",
  "private-token",
  "job-token",
  "x-shopify-access-token",
  "x-webhook-secret",
  "x-secret",
  "x-password",
  "authentication",
  "x-authorization",
  "x-auth",
  "dpop",
];

/** The replacement for a redacted value. */
export const redactedValue = "[redacted]";

const names = new Set(redactedNames);

/** Whether the value of a field of this name is replaced. */
export function isRedactedName(name: string): boolean {
  return names.has(name.toLowerCase());
}

/** Returns a copy of `fields` with the values of redacted names replaced. Doesn't change its input. */
export function redactFields<Value>(fields: Readonly<Record<string, Value>>): Record<string, Value | string> {
  return Object.fromEntries(
    Object.entries(fields).map(([name, value]) => [name, isRedactedName(name) ? redactedValue : value]),
  );
}

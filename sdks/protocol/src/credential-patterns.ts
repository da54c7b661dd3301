/**
 * Credentials that can be told by their form alone, as their issuers document them for secret scanning
 * (https://docs.github.com/en/code-security/secret-scanning/introduction/supported-secret-scanning-patterns).
 */
const patterns: ReadonlyMap<string, RegExp> = new Map([
  ["a private key", /-----BEGIN (?:[A-Z]+ )*PRIVATE KEY(?: BLOCK)?-----\s*[A-Za-z0-9+/=\\][^-]*/],
  ["an AWS access key", /\b(?:AKIA|ASIA)[A-Z2-7]{16}\b/],
  ["a GitHub token", /\b(?:gh[pousr]_[A-Za-z0-9]{36,255}|github_pat_[A-Za-z0-9_]{22,255})\b/],
  ["a GitLab token", /\bglpat-[\w-]{20,}\b/],
  ["a Slack token", /\bxox[abeprs]-[A-Za-z0-9-]{20,}/],
  ["a Stripe key", /\b[rs]k_live_[A-Za-z0-9]{16,}\b/],
  ["a Google API key", /\bAIza[\w-]{35}\b/],
  ["an npm token", /\bnpm_[A-Za-z0-9]{36}\b/],
  ["an Anthropic key", /\bsk-ant-[\w-]{32,}\b/],
  ["an OpenAI key", /\bsk-(?:proj-)?[\w-]{40,}\b/],
  ["a SendGrid key", /\bSG\.[\w-]{22}\.[\w-]{43}\b/],
  ["a Whence key", /\bwh[kac]_[0-9A-Za-z]{49}\b/],
]);

/** What stands where a credential was removed. */
export const removedCredential = "[credential removed]";

/** The text without the credentials that are seen in it. */
export function withoutCredentials(text: string): string {
  let shown = text;
  for (const pattern of patterns.values())
    shown = shown.replace(new RegExp(pattern, `${pattern.flags}g`), removedCredential);
  return shown;
}

/** What kind of credential a text contains; null when none is seen. */
export function credentialIn(text: string): string | null {
  for (const [kind, pattern] of patterns) if (pattern.test(text)) return kind;
  return null;
}

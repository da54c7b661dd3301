/** Sentences for the codes with which a sign-in at a provider ends. */
const sentences: Readonly<Record<string, string>> = {
  access_denied: "The provider did not let you in. Ask its administrator for access.",
  account_not_linked:
    "There is an account with this email address already. Sign in with its password and verify the address under Settings → Account, then try again. The provider must have verified it, too.",
  email_not_found: "The provider did not say what your email address is. Ask its administrator to share it.",
  email_not_verified: "The provider has not verified your email address. Verify it there, then try again.",
  not_invited: "No invitation for your email address is open. Ask an owner of your organization for one.",
  provider_unavailable: "The provider can't be reached. Try again in a minute, or use your password.",
  state_mismatch: "This sign-in took too long, or was started in another browser. Start again.",
};

/** Returns what to tell a person whose sign-in ended with a code. Anyone can put another text in its place. */
export function signInFailure(code: string): string {
  return Object.hasOwn(sentences, code)
    ? (sentences[code] ?? "")
    : "Sign-in at the provider failed. Try again, or use your password.";
}

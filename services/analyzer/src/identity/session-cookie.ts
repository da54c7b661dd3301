/**
 * The name of the session cookie, as the identity library names it, which depends on whether the page is served over
 * HTTPS.
 */
export function sessionCookieName(appUrl: string): string {
  return `${new URL(appUrl).protocol === "https:" ? "__Secure-" : ""}better-auth.session_token`;
}

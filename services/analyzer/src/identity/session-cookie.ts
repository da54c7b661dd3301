/**
 * Returns the name that the identity library gives the session cookie, which depends on whether the page is served over
 * HTTPS.
 */
export function sessionCookieName(appUrl: string): string {
  return `${new URL(appUrl).protocol === "https:" ? "__Secure-" : ""}better-auth.session_token`;
}

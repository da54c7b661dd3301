/** The name of the cookie that carries a session, as the identity library names it: after whether the page is secure. */
export function sessionCookieName(appUrl: string): string {
  return `${new URL(appUrl).protocol === "https:" ? "__Secure-" : ""}better-auth.session_token`;
}

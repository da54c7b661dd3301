/**
 * The dashboard, whose pages have an account and a zone in their path. No link sets the time span of a page.
 * https://developers.cloudflare.com/fundamentals/account/account-security/review-audit-logs/
 */
export const dashboard = "https://dash.cloudflare.com";

import { untilReset } from "../http/rate-limit-reset.ts";
import type { VendorHttpOptions } from "../http/vendor-http.ts";

/** How Linear signals rate limits: with 400, and headers that say which limit is used up, and until when. */
export const linearRateLimit: Required<Pick<VendorHttpOptions, "isRateLimited" | "retryAfterMs">> = {
  isRateLimited: (status, headers) => status === 400 && usedUp(headers) !== undefined,
  retryAfterMs(headers, now) {
    const limit = usedUp(headers);
    return limit === undefined ? null : untilReset(`x-ratelimit-${limit}-reset`, 1)(headers, now);
  },
};

/** The limit of requests, or that of their complexity. https://linear.app/developers/rate-limiting */
function usedUp(headers: Readonly<Record<string, string>>): string | undefined {
  return ["requests", "complexity"].find((limit) => headers[`x-ratelimit-${limit}-remaining`] === "0");
}

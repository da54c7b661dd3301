import { minuteMs, secondMs } from "@whence/protocol";
import type { VendorHttpOptions } from "../http/vendor-http.ts";

/**
 * The format and version of GitHub's API by which responses are parsed.
 * https://docs.github.com/en/rest/about-the-rest-api/api-versions
 */
export const gitHubHeaders = {
  accept: "application/vnd.github+json",
  "x-github-api-version": "2022-11-28",
} as const;

/** Returns the path of a repository's part of the API. */
export function pathOfRepository(repository: string): string {
  return `/repos/${repository.split("/").map(encodeURIComponent).join("/")}`;
}

const forbidden = 403;
const failing = 500;
/** The wait that GitHub recommends when a secondary limit names no time. */
const secondaryWaitMs = minuteMs;
const secondaryLimit = /secondary rate limit/i;

/**
 * How GitHub signals rate limits: with 429, and with a 403 that has the headers of the limit or names the secondary
 * one. https://docs.github.com/en/rest/using-the-rest-api/rate-limits-for-the-rest-api#exceeding-the-rate-limit
 */
export const gitHubRates: Required<Pick<VendorHttpOptions, "isRateLimited" | "retryAfterMs">> = {
  isRateLimited: (status, headers, body) =>
    status === forbidden &&
    (headers["retry-after"] !== undefined || headers["x-ratelimit-remaining"] === "0" || secondaryLimit.test(body)),
  retryAfterMs(headers, now, status) {
    const { "x-ratelimit-remaining": remaining, "x-ratelimit-reset": reset } = headers;
    if (remaining === "0" && reset !== undefined) return Math.max(0, Number(reset) * secondMs - now);
    return status >= failing || headers["retry-after"] !== undefined ? null : secondaryWaitMs;
  },
};

import { limits, type Request } from "@whence/protocol";
import { cutText } from "../mapping/bounded-data.ts";
import type { SentryEvent, SentryRequestFields } from "./read-event.ts";

/**
 * Returns the request that was being served; undefined without a URL. Bodies, cookies, and query strings aren't kept.
 */
export function toRequest(
  { url, method = "GET", headers = [] }: SentryRequestFields,
  { transaction }: Pick<SentryEvent, "transaction">,
): Request | undefined {
  if (url === undefined) return undefined;
  const route = routeOf(transaction);
  const kept = headers.flatMap(([name, value]) => headerOf(name, value));
  return {
    method: cutText(method.toUpperCase(), limits.textLengthMax),
    path: cutText(pathOf(url), limits.textLengthMax),
    ...(route !== undefined && { route: cutText(route, limits.textLengthMax) }),
    headers: Object.fromEntries(kept),
  };
}

function pathOf(url: string): string {
  return URL.canParse(url) ? new URL(url).pathname : (url.split(/[?#]/, 1)[0] ?? url);
}

/** Returns `/orders/:id` for the transaction `GET /orders/:id`; other transactions are named after functions. */
function routeOf(transaction: string | undefined): string | undefined {
  return /^(?:[A-Z]{3,10} )?(\/.*)$/s.exec(transaction ?? "")?.[1];
}

function headerOf(name: string, value: unknown): [string, string][] {
  if (typeof value !== "string" && typeof value !== "number") return [];
  return [[cutText(name.toLowerCase(), limits.textLengthMax), cutText(String(value), limits.textLengthMax)]];
}

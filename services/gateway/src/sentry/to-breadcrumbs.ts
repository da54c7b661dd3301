import { type Breadcrumb, limits } from "@whence/protocol";
import { boundedData, cutText } from "../mapping/bounded-data.ts";
import { timeOf } from "./event-times.ts";
import { levelOf } from "./levels.ts";
import type { SentryBreadcrumb } from "./read-event.ts";

/** Categories under which clients record outgoing requests, when they don't say so in `type`. */
const calls: ReadonlySet<string> = new Set(["http", "httplib", "fetch", "xhr", "requests", "httpx", "aiohttp"]);

/** Returns the breadcrumbs of an event, oldest first. One without a time has that of the event. */
export function toBreadcrumbs(crumbs: readonly SentryBreadcrumb[], eventTime: string): Breadcrumb[] {
  return crumbs.map((crumb) => toBreadcrumb(crumb, eventTime));
}

function toBreadcrumb(crumb: SentryBreadcrumb, eventTime: string): Breadcrumb {
  const { type = "default", category = type, level, message } = crumb;
  const timestamp = timeOf(crumb.timestamp) ?? eventTime;
  const call = type === "http" || calls.has(category) ? callOf(crumb.data ?? {}) : undefined;
  const data = call ?? (crumb.data && boundedData(crumb.data));
  return {
    timestamp,
    category: call ? "http" : cutText(category, limits.textLengthMax),
    ...(level !== undefined && { level: levelOf(level) }),
    ...(message !== undefined && { message: cutText(message, limits.messageLengthMax) }),
    ...(data && Object.keys(data).length > 0 && { data }),
  };
}

/** Returns an outgoing request; undefined without a URL. Clients name the same fields in several ways. */
function callOf(data: Readonly<Record<string, unknown>>): Record<string, unknown> | undefined {
  const first = (...names: readonly string[]) => names.map((name) => data[name]).find((value) => value != null);
  const url = first("url", "http.url", "url.full");
  if (typeof url !== "string") return undefined;
  const method = first("method", "http.method", "http.request.method", "http.request_method");
  const status = Number(first("status_code", "http.response.status_code", "http.status_code", "status"));
  const query = first("http.query", "http.query_string");
  return {
    method: typeof method === "string" ? cutText(method.toUpperCase(), limits.textLengthMax) : "GET",
    url: cutText(typeof query === "string" && query !== "" ? withQuery(url, query) : url, limits.textLengthMax),
    ...(Number.isInteger(status) && status > 0 && { status_code: status }),
  };
}

function withQuery(url: string, query: string): string {
  return url.includes("?") ? url : `${url}?${query.replace(/^\?/, "")}`;
}

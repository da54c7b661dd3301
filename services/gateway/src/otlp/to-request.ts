import { limits, type Request } from "@whence/protocol";
import { cutText } from "../mapping/bounded-data.ts";
import type { Attributes } from "./any-value.ts";
import { textOf } from "./attribute.ts";
import { otlpLimits } from "./otlp-limits.ts";
import type { Span } from "./span-message.ts";

/** `SpanKind`s. */
export const spanKinds = { server: 2, client: 3, producer: 4, consumer: 5 } as const;

/** Whether a span is the handling of a request. */
export function isServed({ kind }: Pick<Span, "kind">): boolean {
  return kind === spanKinds.server;
}

const headerPrefix = "http.request.header.";
const cut = (text: string): string => cutText(text, limits.textLengthMax);

/** Returns the HTTP request that a server's span handled; undefined when its attributes name none. */
export function toRequest(attributes: Attributes): Request | undefined {
  const method = textOf(attributes, "http.request.method", "http.method");
  const target = textOf(attributes, "url.path", "http.target", "url.full", "http.url");
  if (method === undefined || target === undefined) return undefined;
  const route = textOf(attributes, "http.route");
  return {
    method: cut(method.toUpperCase()),
    path: cut(pathOf(target)),
    ...(route !== undefined && { route: cut(route) }),
    headers: headersOf(attributes),
  };
}

function pathOf(target: string): string {
  return URL.canParse(target) ? new URL(target).pathname : (target.split(/[?#]/, 1)[0] ?? target);
}

/** The headers that the program had recorded, and what every span says of `host` and `user-agent`. */
function headersOf(attributes: Attributes): Request["headers"] {
  const host = textOf(attributes, "server.address", "http.host", "net.host.name");
  const port = textOf(attributes, "server.port", "net.host.port");
  const userAgent = textOf(attributes, "user_agent.original", "http.user_agent");
  const isWhole = host?.includes(":") || port === undefined || port === "80" || port === "443";
  const recorded = [...attributes].flatMap(([name, value]) => {
    if (!name.startsWith(headerPrefix)) return [];
    const [first] = Array.isArray(value) ? value : [value];
    return typeof first === "string" ? [[cut(name.slice(headerPrefix.length).replaceAll("_", "-")), cut(first)]] : [];
  });
  return {
    ...(host !== undefined && { host: cut(isWhole ? host : `${host}:${port}`) }),
    ...(userAgent !== undefined && { "user-agent": cut(userAgent) }),
    ...Object.fromEntries(recorded.slice(0, otlpLimits.otlpAttributesMax)),
  };
}

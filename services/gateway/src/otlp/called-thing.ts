import type { KeptSpan } from "../telemetry/batch-message.ts";
import type { Attributes } from "./any-value.ts";
import { numberOf, textOf } from "./attribute.ts";

/** What a span called or handled. */
export interface CalledThing extends Pick<KeptSpan, "category" | "method" | "target" | "peer"> {
  readonly statusCode: number | undefined;
}

/** The attributes that have the status code of an HTTP answer. */
export const statusCodeNames = ["http.response.status_code", "http.status_code"] as const;

/**
 * Returns what a span called or handled by the semantic conventions for HTTP, RPC, databases, and messaging, by their
 * stable names and by their old ones. Query strings aren't kept, nor are values in statements whose text isn't
 * sanitized.
 */
export function calledThing(attributes: Attributes, kind: KeptSpan["kind"]): CalledThing {
  const peer = peerOf(attributes);
  const method = textOf(attributes, "http.request.method", "http.method");
  if (method !== undefined) return httpCall(attributes, method.toUpperCase(), { peer, kind });
  const [rpc, db, messaging] = ["rpc.system", "db.system", "messaging.system"].map((name) =>
    textOf(attributes, `${name}.name`, name),
  );
  if (rpc !== undefined) {
    const call = [textOf(attributes, "rpc.service"), textOf(attributes, "rpc.method")].filter((part) => part);
    const target = `${rpc}://${peer || "unknown"}/${call.join("/")}`;
    return { category: "rpc", method: "RPC", target, peer, statusCode: undefined };
  }
  if (db !== undefined) {
    const operation = textOf(attributes, "db.operation.name", "db.operation") ?? "";
    const collection = textOf(attributes, "db.collection.name", "db.sql.table") ?? "";
    const summary = textOf(attributes, "db.query.summary") ?? [operation, collection].filter((part) => part).join(" ");
    return { category: "db", method: operation, target: `${db}: ${summary}`, peer, statusCode: undefined };
  }
  if (messaging === undefined) return { category: "", method: "", target: "", peer, statusCode: undefined };
  const operation = textOf(attributes, "messaging.operation.name", "messaging.operation.type", "messaging.operation");
  const destination = textOf(attributes, "messaging.destination.name", "messaging.destination") ?? "";
  const target = `${messaging}: ${destination}`;
  return { category: "messaging", method: operation ?? "", target, peer, statusCode: undefined };
}

function httpCall(
  attributes: Attributes,
  method: string,
  { peer, kind }: Pick<CalledThing, "peer"> & { readonly kind: KeptSpan["kind"] },
): CalledThing {
  const url = textOf(attributes, "url.full", "http.url");
  const path = textOf(attributes, "url.path", "http.target") ?? "";
  const statusCode = numberOf(attributes, ...statusCodeNames);
  const known = url !== undefined && URL.canParse(url) ? new URL(url) : undefined;
  if (kind === "server" || !known) {
    const target = kind === "server" || peer === "" ? pathOf(known?.pathname ?? path) : `http://${peer}${pathOf(path)}`;
    return { category: "http", method, target, peer, statusCode };
  }
  return { category: "http", method, target: `${known.origin}${known.pathname}`, peer: known.host, statusCode };
}

function pathOf(target: string): string {
  return target.split(/[?#]/, 1)[0] ?? target;
}

/** The other side of a call: of a server's span, itself. */
function peerOf(attributes: Attributes): string {
  const host = textOf(
    attributes,
    "server.address",
    "net.peer.name",
    "http.host",
    "net.peer.ip",
    "network.peer.address",
  );
  const port = textOf(attributes, "server.port", "net.peer.port");
  if (host === undefined) return "";
  return port === undefined || host.includes(":") ? host : `${host}:${port}`;
}

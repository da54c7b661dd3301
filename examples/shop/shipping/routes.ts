import type { IncomingMessage, ServerResponse } from "node:http";
import { json } from "node:stream/consumers";
import { findParcel, type ParcelRequest, ship } from "./parcels.ts";

/** Answers one request; a rejection is for the caller to answer. */
export async function answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
  const { pathname } = new URL(request.url ?? "/", "http://shipping");
  if (pathname === "/healthz") return send(response, 200, { status: "ok" });

  const [, collection, id] = pathname.split("/");
  if (collection === "scans") {
    console.error("a scanner in the depot reports a parcel that is not ours");
    return send(response, 404, { error: "no such parcel" });
  }
  if (collection !== "parcels") return send(response, 404, { error: "no such page" });
  if (request.method === "POST") return send(response, 201, await ship((await json(request)) as ParcelRequest));
  const parcel = findParcel(id ?? "");
  if (!parcel) return send(response, 404, { error: "no such parcel" });
  return send(response, 200, parcel);
}

/** Answers with JSON. */
export function send(response: ServerResponse, status: number, body: object): void {
  response.writeHead(status, { "content-type": "application/json; charset=utf-8" }).end(JSON.stringify(body));
}

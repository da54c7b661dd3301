import type { IncomingMessage, ServerResponse } from "node:http";
import { findProduct } from "./products.ts";
import { search } from "./search.ts";

/** Answers one request; the caller must handle a rejection. */
export async function answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
  const { pathname, searchParams } = new URL(request.url ?? "/", "http://catalog");
  if (pathname === "/healthz") return send(response, 200, { status: "ok" });

  const [, collection, sku] = pathname.split("/");
  if (collection === "suggestions") {
    console.error("no suggestions: the index of words is being built again");
    return send(response, 503, { error: "no suggestions now" });
  }
  if (collection !== "products") return send(response, 404, { error: "no such page" });
  if (sku === undefined) {
    return send(response, 200, await search(searchParams.get("q") ?? "", Number(searchParams.get("page") ?? 1)));
  }
  const product = await findProduct(sku);
  if (!product) return send(response, 404, { error: "no such product" });
  return send(response, 200, product);
}

/** Answers with JSON. */
export function send(response: ServerResponse, status: number, body: object): void {
  response.writeHead(status, { "content-type": "application/json; charset=utf-8" }).end(JSON.stringify(body));
}

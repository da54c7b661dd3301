import type { IncomingMessage, ServerResponse } from "node:http";
import { charge } from "./acquirer-client.ts";
import { config } from "./config.ts";
import { capture, findPayment } from "./ledger.ts";
import { maintenancePage } from "./maintenance-page.ts";
import { paymentBody } from "./payment-body.ts";
import { receiptOf } from "./receipt.ts";
import { refund } from "./refunds.ts";

/** Answers one request; a rejection is for the caller to answer. */
export async function answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
  const { pathname } = new URL(request.url ?? "/", "http://payments");
  if (pathname === "/healthz") return send(response, 200, { status: "ok" });
  if (config.inMaintenance) return sendText(response, 503, "text/html", maintenancePage);

  const [, collection, id, action] = pathname.split("/");
  if (collection === "webhooks") {
    console.error("a webhook was refused: its signature does not match");
    return send(response, 401, { error: "signature does not match" });
  }
  if (collection !== "payments") return send(response, 404, { error: "no such page" });
  if (request.method === "POST" && id === undefined) {
    const { order_id: orderId, amount } = await readJson(request);
    await charge(orderId, amount);
    return send(response, 201, paymentBody(capture(orderId, amount)));
  }

  const payment = findPayment(id ?? "");
  if (!payment) return send(response, 404, { error: "no such payment" });
  if (request.method === "POST" && action === "refund") return send(response, 200, paymentBody(await refund(payment)));
  if (action === "receipt") return sendText(response, 200, "text/plain", receiptOf(payment));
  return send(response, 200, paymentBody(payment));
}

interface CaptureBody {
  readonly order_id: string;
  readonly amount: { readonly cents: number; readonly currency: string };
}

async function readJson(request: IncomingMessage): Promise<CaptureBody> {
  const chunks: Buffer[] = [];
  for await (const chunk of request) chunks.push(chunk);
  return JSON.parse(Buffer.concat(chunks).toString());
}

/** Answers with JSON. */
export function send(response: ServerResponse, status: number, body: object): void {
  sendText(response, status, "application/json", JSON.stringify(body));
}

function sendText(response: ServerResponse, status: number, type: string, text: string): void {
  response.writeHead(status, { "content-type": `${type}; charset=utf-8` }).end(text);
}

import { type NextFunction, type Request, type Response, Router } from "express";
import { orderPage } from "./order-page.ts";
import { fetchOrder, placeOrder } from "./orders-client.ts";
import { fetchPayment, fetchReceipt, requestRefund } from "./payments-client.ts";
import { UpstreamError } from "./upstream.ts";

export const routes: Router = Router();

routes.get("/healthz", (_request, response) => {
  response.json({ status: "ok" });
});

routes.post("/checkout", async (request, response) => {
  const { sku, quantity } = request.body;
  const order = await placeOrder(String(sku), Number(quantity));
  response.status(201).json({ order_id: order.id });
});

routes.get("/orders/:id", async (request, response) => {
  const order = await fetchOrder(request.params.id);
  const payment = await fetchPayment(order.paymentId);
  response.type("html").send(orderPage(order, payment));
});

routes.get("/orders/:id/receipt", async (request, response) => {
  const order = await fetchOrder(request.params.id);
  response.type("text").send(await fetchReceipt(order.paymentId));
});

routes.post("/orders/:id/refund", async (request, response) => {
  const order = await fetchOrder(request.params.id);
  await requestRefund(order.paymentId);
  response.status(202).json({ status: "refunded" });
});

/** A refusal of another service is passed on, its failure becomes a 502; it reports that itself. */
export function answerUpstreamError(error: unknown, _request: Request, response: Response, next: NextFunction): void {
  if (!(error instanceof UpstreamError)) {
    next(error);
    return;
  }
  const status = error.status < 500 ? error.status : 502;
  response.status(status).json({ error: status === 502 ? "please try again in a few minutes" : "not possible" });
}

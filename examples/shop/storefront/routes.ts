import { type NextFunction, type Request, type Response, Router } from "express";
import { searchProducts } from "./catalog-client.ts";
import { greetingFrom } from "./greeting.ts";
import { orderPage } from "./order-page.ts";
import { fetchOrder, placeOrder } from "./orders-client.ts";
import { fetchPayment, fetchReceipt, requestRefund } from "./payments-client.ts";
import { productPage } from "./product-page.ts";
import { fetchParcel } from "./shipping-client.ts";
import { UpstreamError } from "./upstream.ts";

export const routes: Router = Router();

routes.get("/healthz", (_request, response) => {
  response.json({ status: "ok" });
});

routes.get("/products", async (request, response) => {
  const { q, page } = request.query;
  const found = await searchProducts(String(q ?? ""), Number(page ?? 1));
  response.type("html").send(productPage(found, greetingFrom(request.headers.cookie)));
});

routes.post("/feedback", (_request, response) => {
  console.error("feedback was not kept: the form has no token");
  response.status(403).json({ error: "please load the form again" });
});

routes.post("/checkout", async (request, response) => {
  const { sku, quantity, address } = request.body;
  const order = await placeOrder(String(sku), Number(quantity), address);
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

routes.get("/orders/:id/parcel", async (request, response) => {
  response.json(await fetchParcel(request.params.id));
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

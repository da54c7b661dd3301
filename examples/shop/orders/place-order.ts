import { randomUUID } from "node:crypto";
import type { Order } from "./database.ts";
import { insertOrder } from "./order-store.ts";
import { capturePayment } from "./payments-client.ts";
import { reserve } from "./stock.ts";

const centsBySku: Readonly<Record<string, number>> = {
  beans: 1_290,
  "filter-papers": 350,
  "espresso-machine": 64_900,
};

/** Reserves, takes the money and keeps the order; "sold-out" when there are too few of the goods. */
export async function placeOrder(sku: string, quantity: number): Promise<Order | "sold-out"> {
  const id = `ord_${randomUUID()}`;
  if (!(await reserve(sku, quantity))) return "sold-out";
  const paymentId = await capturePayment(id, (centsBySku[sku] ?? 0) * quantity);
  const order = { id, sku, quantity, paymentId };
  await insertOrder(order);
  return order;
}

import { randomUUID } from "node:crypto";
import { fetchPrice } from "./catalog-client.ts";
import type { Order } from "./database.ts";
import { fetchDiscount } from "./discounts-client.ts";
import { insertOrder } from "./order-store.ts";
import { type Address, sendParcel } from "./parcels.ts";
import { capturePayment } from "./payments-client.ts";
import { reserve } from "./stock.ts";

/** What a customer wants. */
export interface Wanted {
  readonly sku: string;
  readonly quantity: number;
  /** Absent: it is picked up. */
  readonly address?: Address;
}

/** Reserves, takes the money and keeps the order; "sold-out" when there are too few of the goods. */
export async function placeOrder({ sku, quantity, address }: Wanted): Promise<Order | "sold-out"> {
  const id = `ord_${randomUUID()}`;
  const cents = await fetchPrice(sku);
  if (cents === undefined || !(await reserve(sku, quantity))) return "sold-out";
  const full = cents * quantity;
  const off = Math.floor((full * (await fetchDiscount(sku, quantity))) / 100);
  const paymentId = await capturePayment(id, full - off);
  const order = { id, sku, quantity, paymentId };
  await insertOrder(order);
  if (address) sendParcel(id, quantity, address);
  return order;
}

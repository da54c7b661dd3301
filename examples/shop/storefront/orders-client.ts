import { config } from "./config.ts";
import { askUpstream } from "./upstream.ts";

export interface Order {
  readonly id: string;
  readonly sku: string;
  readonly quantity: number;
  readonly paymentId: string;
}

/** Where a parcel goes. */
export interface Address {
  readonly name: string;
  readonly postcode: string;
  readonly city: string;
}

/** Orders goods and pays for them; they are picked up when no address is given. */
export async function placeOrder(sku: string, quantity: number, address: Address | undefined): Promise<Order> {
  const response = await askUpstream(`${config.ordersUrl}/orders`, {
    method: "POST",
    headers: { "content-type": "application/json" },
    body: JSON.stringify({ sku, quantity, address }),
  });
  return (await response.json()) as Order;
}

/** Reads an order again. */
export async function fetchOrder(id: string): Promise<Order> {
  const response = await askUpstream(`${config.ordersUrl}/orders/${encodeURIComponent(id)}`);
  return (await response.json()) as Order;
}

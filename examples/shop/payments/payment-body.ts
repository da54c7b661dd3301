import type { Payment } from "./ledger.ts";

/** A payment as the interface shows it. */
export function paymentBody({ id, orderId, status, amount }: Payment): object {
  const payment = { id, order_id: orderId, status, amount };
  return { payment };
}

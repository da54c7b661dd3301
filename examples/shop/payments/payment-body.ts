import { config } from "./config.ts";
import type { Payment } from "./ledger.ts";

/** A payment as the interface shows it. Version 2 has `total`, with `tax` beside it, where version 1 had `amount`. */
export function paymentBody({ id, orderId, status, amount }: Payment): object {
  if (config.apiVersion === 1) return { payment: { id, order_id: orderId, status, amount } };
  const tax = { cents: Math.round(amount.cents * 0.19), currency: amount.currency };
  return { payment: { id, order_id: orderId, status, total: amount, tax } };
}

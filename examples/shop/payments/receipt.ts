import { createHmac } from "node:crypto";
import { config } from "./config.ts";
import type { Payment } from "./ledger.ts";

/** The receipt as text, its last line a signature that support can check. */
export function receiptOf(payment: Payment): string {
  const { cents, currency } = payment.amount;
  const text = [`Receipt for order ${payment.orderId}`, `${(cents / 100).toFixed(2)} ${currency}`].join("\n");
  return `${text}\nsigned ${sign(text)}\n`;
}

function sign(text: string): string {
  return createHmac("sha256", config.receiptSigningKey).update(text).digest("hex");
}

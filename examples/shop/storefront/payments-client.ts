import { config } from "./config.ts";
import type { Money } from "./money.ts";
import { askUpstream } from "./upstream.ts";

export interface Payment {
  readonly id: string;
  readonly status: string;
  readonly amount: Money;
}

/** What the payments service answers. */
interface PaymentBody {
  readonly payment: Payment;
}

/** Reads a payment. */
export async function fetchPayment(id: string): Promise<Payment> {
  const response = await askUpstream(paymentUrl(id));
  const { payment } = (await response.json()) as PaymentBody;
  return { id: payment.id, status: payment.status, amount: payment.amount };
}

/** The signed receipt, as text. */
export async function fetchReceipt(id: string): Promise<string> {
  const response = await askUpstream(`${paymentUrl(id)}/receipt`);
  return response.text();
}

/** Asks for the money back. */
export async function requestRefund(id: string): Promise<void> {
  await askUpstream(`${paymentUrl(id)}/refund`, { method: "POST" });
}

function paymentUrl(id: string): string {
  return `${config.paymentsUrl}/payments/${encodeURIComponent(id)}`;
}

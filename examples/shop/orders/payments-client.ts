import { config } from "./config.ts";
import { postJson } from "./post-json.ts";

interface PaymentAnswer {
  readonly payment: { readonly id: string };
}

/** Takes the money for an order; the id of the payment. */
export async function capturePayment(orderId: string, cents: number): Promise<string> {
  const body = { order_id: orderId, amount: { cents, currency: "EUR" } };
  const { payment } = await postJson<PaymentAnswer>(`${config.paymentsUrl}/payments`, body);
  return payment.id;
}

import { recordAudit } from "./audit-trail.ts";
import { giveBack, type Payment } from "./ledger.ts";

/** Gives the money of a payment back, once. */
export async function refund(payment: Payment): Promise<Payment> {
  if (payment.status === "refunded") return payment;
  const refunded = giveBack(payment);
  recordAudit({ action: "refund", paymentId: payment.id, cents: payment.amount.cents });
  return refunded;
}

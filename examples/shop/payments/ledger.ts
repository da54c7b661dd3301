import { randomUUID } from "node:crypto";

/** Cents, and the currency by its ISO 4217 code. */
export interface Money {
  readonly cents: number;
  readonly currency: string;
}

export interface Payment {
  readonly id: string;
  readonly orderId: string;
  readonly amount: Money;
  readonly status: "captured" | "refunded";
}

const payments = new Map<string, Payment>();

/** Takes the money for an order. Throws for anything but whole cents. */
export function capture(orderId: string, amount: Money): Payment {
  if (!Number.isInteger(amount.cents)) throw new RangeError(`${amount.cents} is no number of cents`);
  const payment: Payment = { id: `pay_${randomUUID()}`, orderId, amount, status: "captured" };
  payments.set(payment.id, payment);
  return payment;
}

/** The payment, or undefined if there is none of that id. */
export function findPayment(id: string): Payment | undefined {
  return payments.get(id);
}

/** Gives the money back. Throws when that was done before. */
export function giveBack(payment: Payment): Payment {
  if (payments.get(payment.id)?.status === "refunded") throw new Error(`${payment.id} was given back before`);
  const refunded: Payment = { ...payment, status: "refunded" };
  payments.set(payment.id, refunded);
  return refunded;
}

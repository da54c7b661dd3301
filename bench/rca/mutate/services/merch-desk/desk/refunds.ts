import { refundLimitCents } from './limits.ts';

export function refund(order: string, euros: number): { order: string; cents: number } {
  const cents = Math.round(euros * 100);
  if (cents > refundLimitCents) throw new Error(`refund of ${order} exceeds the limit: ${cents}`);
  if (cents < 100) throw new Error(`refund of ${order} is below the minimum: ${cents}`);
  return { order, cents };
}

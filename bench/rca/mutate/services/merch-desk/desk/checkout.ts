import { paymentTimeoutSeconds } from './limits.ts';
import { PaySession } from './pay-session.ts';
import { charge } from './upstream-pay.ts';

const session = new PaySession();

export class PaymentRefused extends Error {
  override name = 'PaymentRefused';
}

export async function pay(euros: number): Promise<number> {
  const deadline = AbortSignal.timeout(paymentTimeoutSeconds * 1000);
  const answer = await charge(await session.id(), Math.round(euros * 100), deadline);
  const body = await answer.json();
  if (!answer.ok) throw new PaymentRefused(`payment refused with ${answer.status}: ${body.error}`);
  return body.paid;
}

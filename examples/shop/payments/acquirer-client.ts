import { config } from "./config.ts";
import type { Money } from "./ledger.ts";

/** The acquirer refused or failed. */
class AcquirerError extends Error {
  override readonly name = "AcquirerError";
  readonly status: number;

  constructor(status: number, says: string) {
    super(`the acquirer answered ${status}: ${says}`);
    this.status = status;
  }
}

/** Takes the money from the customer's card. Rejects with {@link AcquirerError} unless that was possible. */
export async function charge(orderId: string, amount: Money): Promise<void> {
  if (config.acquirerUrl === undefined) return;
  const response = await fetch(`${config.acquirerUrl}/charges`, {
    method: "POST",
    headers: { "content-type": "application/json", authorization: `Bearer ${config.acquirerToken}` },
    body: JSON.stringify({ reference: orderId, ...amount }),
    signal: AbortSignal.timeout(config.upstreamTimeoutMs),
  });
  const text = await response.text();
  if (!response.ok) throw new AcquirerError(response.status, text.slice(0, 100));
}

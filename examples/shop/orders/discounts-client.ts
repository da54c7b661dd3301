import { config } from "./config.ts";

interface DiscountAnswer {
  readonly percent: number;
}

/** The discount on so many pieces, in percent; 0 where the shop runs without discounts. */
export async function fetchDiscount(sku: string, quantity: number): Promise<number> {
  if (config.discountsUrl === undefined) return 0;
  const url = `${config.discountsUrl}/discounts?sku=${encodeURIComponent(sku)}&quantity=${quantity}`;
  const response = await fetch(url, { signal: AbortSignal.timeout(config.upstreamTimeoutMs) });
  if (!response.ok) throw new Error(`${url} answered ${response.status}`);
  const { percent } = (await response.json()) as DiscountAnswer;
  return percent;
}

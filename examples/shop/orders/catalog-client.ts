import { config } from "./config.ts";

interface ProductAnswer {
  readonly cents: number;
}

/** What one piece costs today, or undefined if nothing of that number is sold. */
export async function fetchPrice(sku: string): Promise<number | undefined> {
  const url = `${config.catalogUrl}/products/${encodeURIComponent(sku)}`;
  const response = await fetch(url, { signal: AbortSignal.timeout(config.upstreamTimeoutMs) });
  if (response.status === 404) return undefined;
  if (!response.ok) throw new Error(`${url} answered ${response.status}`);
  const { cents } = (await response.json()) as ProductAnswer;
  return cents;
}

import type { ModelPrices } from "@whence/protocol";
import type { ModelTokens } from "./models.ts";

const million = 1_000_000;

/** Returns what tokens cost, in US dollars; null while prices are unknown. */
export function costOf({ inputTokens, outputTokens }: ModelTokens, prices: ModelPrices | null): number | null {
  if (prices === null) return null;
  const { input_usd_per_million: input, output_usd_per_million: output } = prices;
  return (inputTokens * input + outputTokens * output) / million;
}

import type { ShopService } from "../../examples/shop/demo/shop.ts";

/** Requests that make a service log an unrelated error. */
interface Noise {
  readonly service: ShopService;
  readonly method: "GET" | "POST";
  readonly path: string;
  /** A text in the logged line, which identifies its incident. */
  readonly says: string;
}

export const noises = {
  feedback: { service: "storefront", method: "POST", path: "/feedback", says: "feedback was not kept" },
  webhooks: { service: "payments", method: "POST", path: "/webhooks", says: "a webhook was refused" },
  suggestions: { service: "catalog", method: "GET", path: "/suggestions", says: "no suggestions" },
  scans: { service: "shipping", method: "POST", path: "/scans", says: "a scanner in the depot" },
} as const satisfies Record<string, Noise>;
export type NoiseSource = keyof typeof noises;

/** More frequent than the flows of customers, so that the noise is louder than any fault. */
const noiseIntervalMs = 120;

/** Makes noise until `signal` is aborted. */
export function makeNoise(source: NoiseSource, addressOf: (service: ShopService) => string, signal: AbortSignal): void {
  const { service, method, path } = noises[source];
  const timer = setInterval(() => {
    // A restarting service misses some.
    fetch(addressOf(service) + path, { method, signal })
      .then((answer) => answer.text())
      .catch(() => undefined);
  }, noiseIntervalMs);
  signal.addEventListener("abort", () => clearInterval(timer));
}

/** Whether a text comes from noise. */
export function isNoise(text: string): boolean {
  return Object.values(noises).some(({ says }) => text.includes(says));
}

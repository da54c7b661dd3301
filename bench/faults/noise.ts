import type { ShopService } from "../../examples/shop/demo/shop.ts";

/** Requests that make a service log an error which has nothing to do with anything. */
interface Noise {
  readonly service: ShopService;
  readonly method: "GET" | "POST";
  readonly path: string;
  /** What the logged line contains, to know its incident by. */
  readonly says: string;
}

export const noises = {
  feedback: { service: "storefront", method: "POST", path: "/feedback", says: "feedback was not kept" },
  webhooks: { service: "payments", method: "POST", path: "/webhooks", says: "a webhook was refused" },
  suggestions: { service: "catalog", method: "GET", path: "/suggestions", says: "no suggestions" },
  scans: { service: "shipping", method: "POST", path: "/scans", says: "a scanner in the depot" },
} as const satisfies Record<string, Noise>;
export type NoiseSource = keyof typeof noises;

/** More than the flows of customers in a second, so that noise is louder than any fault. */
const noiseIntervalMs = 120;

/** Makes the noise until `signal` aborts. */
export function makeNoise(source: NoiseSource, addressOf: (service: ShopService) => string, signal: AbortSignal): void {
  const { service, method, path } = noises[source];
  const timer = setInterval(() => {
    // A service that is being started again misses some.
    fetch(addressOf(service) + path, { method, signal })
      .then((answer) => answer.text())
      .catch(() => undefined);
  }, noiseIntervalMs);
  signal.addEventListener("abort", () => clearInterval(timer));
}

/** Whether a text is of noise. */
export function isNoise(text: string): boolean {
  return Object.values(noises).some(({ says }) => text.includes(says));
}

import { DemoError } from "./demo-error.ts";

const answerDeadlineMs = 60_000;

/** What people do in the shop. Each action takes the expected status, so that a fault without an effect is noticed. */
export interface Customer {
  /** Buys one piece and returns the order's id; an empty string when another status than 201 is expected. */
  buys(sku: string, expected?: number): Promise<string>;
  opens(orderId: string, expected?: number): Promise<void>;
  wantsReceipt(orderId: string, expected?: number): Promise<void>;
  returnsGoods(orderId: string, expected?: number): Promise<void>;
}

/** Returns a customer of the shop at that address. */
export function customerOf(shopUrl: string, signal: AbortSignal): Customer {
  const ask = async (method: string, path: string, expected: number, body?: object): Promise<string> => {
    const response = await fetch(shopUrl + path, {
      method,
      signal: AbortSignal.any([signal, AbortSignal.timeout(answerDeadlineMs)]),
      ...(body && { headers: { "content-type": "application/json" }, body: JSON.stringify(body) }),
    });
    const text = await response.text();
    if (response.status === expected) return text;
    throw new DemoError(
      `${method} ${path} of the shop was to answer ${expected}, but it is ${response.status}: ${text}`,
    );
  };
  return {
    async buys(sku, expected = 201) {
      const text = await ask("POST", "/checkout", expected, { sku, quantity: 1 });
      const { order_id: orderId = "" } = JSON.parse(text);
      return String(orderId);
    },
    async opens(orderId, expected = 200) {
      await ask("GET", `/orders/${orderId}`, expected);
    },
    async wantsReceipt(orderId, expected = 200) {
      await ask("GET", `/orders/${orderId}/receipt`, expected);
    },
    async returnsGoods(orderId, expected = 202) {
      await ask("POST", `/orders/${orderId}/refund`, expected);
    },
  };
}

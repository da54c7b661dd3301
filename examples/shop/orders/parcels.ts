import { setTimeout as delay } from "node:timers/promises";
import { config } from "./config.ts";

/** Where a parcel goes. */
export interface Address {
  readonly name: string;
  readonly postcode: string;
  readonly city: string;
}

/** What shipping is to send. */
interface Parcel {
  readonly order_id: string;
  readonly quantity: number;
  readonly address: Address;
}

const waiting: Parcel[] = [];
let isHandingOver = false;

/** Has shipping send a parcel, after those that wait already. */
export function sendParcel(orderId: string, quantity: number, address: Address): void {
  waiting.push({ order_id: orderId, quantity, address });
  if (!isHandingOver) void handOverAll();
}

/** In the order in which they came; one that shipping does not take is offered again. */
async function handOverAll(): Promise<void> {
  isHandingOver = true;
  for (let parcel = waiting[0]; parcel; parcel = waiting[0]) {
    try {
      await handOver(parcel);
      waiting.shift();
    } catch (error) {
      console.error("a parcel was not handed over:", error);
      await delay(config.handOverAgainMs);
    }
  }
  isHandingOver = false;
}

async function handOver(parcel: Parcel): Promise<void> {
  const url = `${config.shippingUrl}/parcels`;
  const response = await fetch(url, {
    method: "POST",
    headers: { "content-type": "application/json" },
    body: JSON.stringify(parcel),
    signal: AbortSignal.timeout(config.upstreamTimeoutMs),
  });
  if (!response.ok) throw new Error(`${url} answered ${response.status}`);
}

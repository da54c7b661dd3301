import { config } from "./config.ts";
import { askUpstream } from "./upstream.ts";

export interface Parcel {
  readonly tracking: string;
  readonly arrivesOn: string;
}

/** Where the parcel of an order is. */
export async function fetchParcel(orderId: string): Promise<Parcel> {
  const response = await askUpstream(`${config.shippingUrl}/parcels/${encodeURIComponent(orderId)}`);
  return (await response.json()) as Parcel;
}

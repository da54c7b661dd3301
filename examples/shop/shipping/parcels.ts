import { type Address, addressLines } from "./address.ts";
import { boxesOf } from "./boxes.ts";
import { buyLabel } from "./carrier-client.ts";
import { deliveryDate } from "./delivery-date.ts";
import { addToManifest } from "./manifest.ts";

/** What orders asks to send. */
export interface ParcelRequest {
  readonly order_id: string;
  readonly quantity: number;
  readonly address: Address;
}

export interface Parcel {
  readonly orderId: string;
  readonly tracking: string;
  readonly arrivesOn: string;
}

const parcels = new Map<string, Parcel>();

/** Buys the label of a parcel and puts it on the manifest. */
export async function ship({ order_id: orderId, quantity, address }: ParcelRequest): Promise<Parcel> {
  const label = await buyLabel(addressLines(address));
  for (const grams of boxesOf(quantity)) await addToManifest(label.tracking, grams);
  const parcel = { orderId, tracking: label.tracking, arrivesOn: deliveryDate(label.arrives) };
  parcels.set(orderId, parcel);
  return parcel;
}

/** The parcel of an order, or undefined if there is none. */
export function findParcel(orderId: string): Parcel | undefined {
  return parcels.get(orderId);
}

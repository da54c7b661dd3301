import type { Client } from "./client.ts";

/** Where the client is kept. The slot stays once it is there, so that nobody has to look for it twice. */
interface Slot {
  client: Client | undefined;
}

/**
 * The one client of this thread. It hangs on a registered symbol because a program may load this package twice, as ESM
 * and as CommonJS, and each framework entry is a bundle of its own; all of them must find the same client.
 */
const place = Symbol.for("@whence/node client, version 1");

/** Found on the global object before, which takes half a microsecond and is asked for several times a request. */
let known: Slot | undefined;

/** The client that `init` started and `close` has not stopped. */
export function currentClient(): Client | undefined {
  known ??= Reflect.get(globalThis, place) as Slot | undefined;
  return known?.client;
}

/** Makes this the client of the thread; undefined for none. */
export function setCurrentClient(client: Client | undefined): void {
  known ??= (Reflect.get(globalThis, place) as Slot | undefined) ?? placeSlot();
  known.client = client;
}

function placeSlot(): Slot {
  const slot: Slot = { client: undefined };
  Object.defineProperty(globalThis, place, {
    // A program may have given all objects a `get`, which would make this no descriptor.
    __proto__: null,
    value: slot,
    enumerable: false,
    configurable: true,
    writable: true,
  } as PropertyDescriptor);
  return slot;
}

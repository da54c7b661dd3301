import type { Client } from "./client.ts";

/**
 * The one client of this thread. It hangs on a registered symbol because a program may load this package twice, as ESM
 * and as CommonJS, and each framework entry is a bundle of its own; all of them must find the same client.
 */
const place = Symbol.for("@whence/node client, version 1");

/** The client that `init` started and `close` has not stopped. */
export function currentClient(): Client | undefined {
  const client: Client | undefined = Reflect.get(globalThis, place);
  return client;
}

/** Makes this the client of the thread; undefined for none. */
export function setCurrentClient(client: Client | undefined): void {
  Object.defineProperty(globalThis, place, {
    // A program may have given all objects a `get`, which would make this no descriptor.
    __proto__: null,
    value: client,
    enumerable: false,
    configurable: true,
    writable: true,
  } as PropertyDescriptor);
}

import { subscribe } from "node:diagnostics_channel";
import { currentClient } from "./current-client.ts";

/** An object shared by all contexts of a thread. */
const shared: object = subscribe;
/** The key of a function on it that returns the client of the context that last started one. */
const place = Symbol.for("@whence/node client of the last context, version 1");

/**
 * Stops the client that the previous context (`node:vm`) of this thread started: test runners run each file in its own
 * context, without notice when it ends. Never stops the client of Node's main context.
 */
export function stopPreviousContextClient(): void {
  if (shared instanceof Function) return;
  const previous: typeof currentClient | undefined = Reflect.get(shared, place);
  previous?.()?.stop();
  Object.defineProperty(shared, place, { value: currentClient, configurable: true, writable: true });
}

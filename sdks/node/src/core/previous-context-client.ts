import { subscribe } from "node:diagnostics_channel";
import { currentClient } from "./current-client.ts";

/** An object that all contexts of a thread share. */
const shared: object = subscribe;
/** The key of the function on it that returns the client of the context that started one last. */
const place = Symbol.for("@whence/node client of the last context, version 1");

/**
 * Stops the client that the previous context (`node:vm`) of this thread started: test runners run each file in a context
 * of its own and give no notice when it ends. The client of Node's main context is never stopped.
 */
export function stopPreviousContextClient(): void {
  if (shared instanceof Function) return;
  const previous: typeof currentClient | undefined = Reflect.get(shared, place);
  previous?.()?.stop();
  Object.defineProperty(shared, place, { value: currentClient, configurable: true, writable: true });
}

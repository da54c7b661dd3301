import { subscribe } from "node:diagnostics_channel";
import { currentClient } from "./current-client.ts";

/** What all contexts of a thread share. */
const shared: object = subscribe;
/** There: how the last of them to start a client finds its own. */
const place = Symbol.for("@whence/node client of the last context, version 1");

/**
 * Stops the client that another context (`node:vm`) of this thread has left behind: test runners run each file in one of
 * its own, and tell nobody when it is over. The client of Node's own context is never one of these.
 */
export function stopClientLeftBehind(): void {
  if (shared instanceof Function) return;
  const left: typeof currentClient | undefined = Reflect.get(shared, place);
  left?.()?.stop();
  Object.defineProperty(shared, place, { value: currentClient, configurable: true, writable: true });
}

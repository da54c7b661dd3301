import { subscribe, unsubscribe } from "node:diagnostics_channel";

/** Subscribes to one of Node's diagnostics channels. Returns a function that unsubscribes. */
export function listen(channel: string, onMessage: (message: object) => void): () => void {
  const receive = (message: unknown): void => {
    if (typeof message === "object" && message !== null) onMessage(message);
  };
  subscribe(channel, receive);
  return () => {
    unsubscribe(channel, receive);
  };
}

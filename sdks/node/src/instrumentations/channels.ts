import { subscribe, unsubscribe } from "node:diagnostics_channel";

/** Reads what Node publishes on a channel; what it returns stops it. */
export function listen(channel: string, onMessage: (message: object) => void): () => void {
  const receive = (message: unknown): void => {
    if (typeof message === "object" && message !== null) onMessage(message);
  };
  subscribe(channel, receive);
  return () => {
    unsubscribe(channel, receive);
  };
}

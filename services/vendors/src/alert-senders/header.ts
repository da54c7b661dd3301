import type { ReceivedWebhook } from "./alert-sender.ts";

/** Returns the value of a header that was sent once; null when it is missing, empty, or a list in Node.js. */
export function headerOf({ headers }: ReceivedWebhook, name: string): string | null {
  const value = headers[name];
  return typeof value === "string" && value !== "" ? value : null;
}

import type { ReceivedWebhook } from "./alert-sender.ts";

/** The value of a header that was sent once; null for a missing one, an empty one, and one that Node lists. */
export function headerOf({ headers }: ReceivedWebhook, name: string): string | null {
  const value = headers[name];
  return typeof value === "string" && value !== "" ? value : null;
}

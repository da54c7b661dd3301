import { hash } from "node:crypto";
import type { KnownAlertSource } from "@whence/storage";
import type { WebhookMessage } from "./webhook-message.ts";

interface Delivery {
  /** The delivery's ID, which is the same when the sender sends it again. */
  readonly id: string;
  /** What the sender says about the webhook outside its body; no credentials. */
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
  /** Milliseconds since 1970. */
  readonly receivedAt: number;
}

/** Returns an accepted webhook as a message for the queue, which accepts each delivery once. */
export function queuedWebhook(
  { id: sourceId, scopeId, kind }: Pick<KnownAlertSource, "id" | "scopeId" | "kind">,
  { id, headers, body, receivedAt }: Delivery,
): { readonly id: string; readonly body: string } {
  const source = { scope_id: scopeId, source_id: sourceId, kind };
  const message: WebhookMessage = { ...source, headers, body, received_at: receivedAt };
  return { id: hash("sha256", `${sourceId} ${id}`), body: JSON.stringify(message) };
}

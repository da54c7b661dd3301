import { createHmac, randomBytes } from "node:crypto";
import { secondMs } from "@whence/protocol";

const secretPrefix = "whsec_";
const secretBytes = 32;

/** Creates the secret that signs a webhook's messages, in the format of Standard Webhooks: `whsec_` and base64. */
export function mintWebhookSecret(): string {
  return secretPrefix + randomBytes(secretBytes).toString("base64");
}

/** Returns the bytes of a secret, which are the signing key. */
export function webhookKey(secret: string): Buffer {
  return Buffer.from(secret.startsWith(secretPrefix) ? secret.slice(secretPrefix.length) : secret, "base64");
}

/**
 * Returns the headers by which a receiver verifies a message: its ID, the time of this attempt, and an HMAC-SHA256 over
 * both and the body, which prevents replays (https://www.standardwebhooks.com, version 1).
 */
export function signatureHeaders(secret: string, id: string, body: string, nowMs: number): Record<string, string> {
  const timestamp = String(Math.floor(nowMs / secondMs));
  const signature = createHmac("sha256", webhookKey(secret)).update(`${id}.${timestamp}.${body}`).digest("base64");
  return { "webhook-id": id, "webhook-timestamp": timestamp, "webhook-signature": `v1,${signature}` };
}

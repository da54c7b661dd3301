import type { SentryProject } from "@whence/protocol";
import type { Storage } from "@whence/storage";
import { hashOf } from "../hash-of.ts";
import { newKey } from "../test-gateway.ts";

/** The project of each DSN. */
export const project: SentryProject = {
  ...{ id: "4711", service: "orders", env: "PROD" },
  origins: ["https://shop.example", "https://*.shop.example"],
};

export const eventId = "0a7b4b8c6cc741f799d347f264f3cce3";
export const event = { event_id: eventId, message: "stock is low", level: "error", platform: "python" };

/** Returns an envelope with items, each `[type, payload]`. */
export function envelope(items: readonly (readonly [string, unknown])[], header: object = {}): Buffer {
  const parts = items.flatMap(([type, payload]) => {
    const text = Buffer.isBuffer(payload) ? payload : Buffer.from(JSON.stringify(payload));
    return [Buffer.from(`${JSON.stringify({ type, length: text.length })}\n`), text, Buffer.from("\n")];
  });
  return Buffer.concat([Buffer.from(`${JSON.stringify({ event_id: eventId, ...header })}\n`), ...parts]);
}

/** Returns the header in which Sentry's clients send a key. */
export const auth = (key: string): { readonly "x-sentry-auth": string } => ({
  "x-sentry-auth": `Sentry sentry_version=7, sentry_client=test/1, sentry_key=${key}`,
});

/** Adds the key of a DSN to an organization. */
export async function addDsnKey({ control }: Storage, organizationId: string, now: Date): Promise<string> {
  const key = newKey();
  await control.keys.add({
    ...{ organizationId, name: "k", hash: hashOf(key), prefix: "whk_", scope: "sentry", project, now },
  });
  return key;
}

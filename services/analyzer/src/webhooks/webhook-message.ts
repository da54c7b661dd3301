import { alertSourceKindSchema } from "@whence/protocol";
import { z } from "zod";

/** A webhook that was accepted, on its way from the intake to what handles it. */
export const webhookMessageSchema = z.object({
  scope_id: z.string(),
  source_id: z.string(),
  kind: alertSourceKindSchema,
  /** What the sender says of the webhook outside of its body; no credentials. */
  headers: z.record(z.string(), z.string()),
  body: z.string(),
  /** Milliseconds since the epoch. */
  received_at: z.number(),
});
export type WebhookMessage = z.infer<typeof webhookMessageSchema>;

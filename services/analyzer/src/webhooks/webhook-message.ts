import { z } from "zod";

/** An accepted webhook on its way from the intake to its handler. */
export const webhookMessageSchema = z.object({
  scope_id: z.string(),
  source_id: z.string(),
  kind: z.string(),
  /** What the sender says about the webhook outside its body; no credentials. */
  headers: z.record(z.string(), z.string()),
  body: z.string(),
  /** Milliseconds since 1970. */
  received_at: z.number(),
});
export type WebhookMessage = z.infer<typeof webhookMessageSchema>;

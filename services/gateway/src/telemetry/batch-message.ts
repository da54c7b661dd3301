import { type Batch, batchSchema, timestampSchema } from "@whence/protocol";
import { z } from "zod";

/** What the gateway puts on the queue for each batch: whose it is, when it came, and what was accepted of it. */
export interface BatchMessage extends Batch {
  readonly scope_id: string;
  readonly received_at: string;
}

export const batchMessageSchema: z.ZodType<BatchMessage> = batchSchema.extend({
  scope_id: z.string().min(1),
  received_at: timestampSchema,
});

import { batchSchema } from "@whence/protocol";
import { z } from "zod";

/** What the gateway puts on the queue for each batch: whose it is, when it came, and what was accepted of it. */
export const batchMessageSchema = batchSchema.extend({ scope_id: z.string(), received_at: z.string() });
export type BatchMessage = z.infer<typeof batchMessageSchema>;

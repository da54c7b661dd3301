import { type Batch, batchSchema, timestampSchema, validationErrors } from "@whence/protocol";
import { z } from "zod";
import { eventTexts } from "./event-texts.ts";
import { isPlainBatch } from "./plain-batch.ts";

/** What the gateway puts on the queue for each batch: whose it is, when it came, and what was accepted of it. */
export interface BatchMessage {
  readonly scope_id: string;
  readonly received_at: string;
  /** How long its organization keeps it. Absent: as long as the service does. */
  readonly retention_days?: number | undefined;
  readonly batch: Batch;
}

const frameSchema = z.object({
  scope_id: z.string().min(1),
  received_at: timestampSchema,
  retention_days: z.int().min(1).optional(),
});
const messageSchema: z.ZodType<BatchMessage> = frameSchema.extend({ batch: batchSchema });
const unreadBatchSchema = frameSchema.extend({ batch: z.unknown() });

/** A message read back. */
export interface ReadBatchMessage {
  readonly message: BatchMessage;
  /** The events as the texts that they are in it, where these say exactly what the events do. */
  readonly eventTexts: readonly string[] | undefined;
}

/** A message's body, read back; or why nobody can ever read it. */
export function readBatchMessage(text: string): ReadBatchMessage | { readonly unreadable: string } {
  const body = parseJson(text);
  if (body === undefined) return { unreadable: "it is not JSON" };
  const framed = unreadBatchSchema.safeParse(body);
  if (framed.success && isPlainBatch(framed.data.batch)) {
    return { message: { ...framed.data, batch: framed.data.batch }, eventTexts: eventTexts(text) };
  }
  const parsed = messageSchema.safeParse(body);
  if (parsed.success) return { message: parsed.data, eventTexts: undefined };
  const [first] = validationErrors(parsed.error.issues, body, "body");
  return { unreadable: `it is no batch: ${first?.loc.join(".")}: ${first?.msg}` };
}

/** Undefined for what is no JSON. */
function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

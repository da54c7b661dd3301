import { type Batch, timestampSchema, validationErrors } from "@whence/protocol";
import { z } from "zod";

/** The first line of a message: whose its batch is, and when it came. */
const headerSchema = z.object({
  scope_id: z.string().min(1),
  received_at: timestampSchema,
  /** How long its organization keeps it. Absent: as long as the service does. */
  retention_days: z.int().min(1).optional(),
});
export type MessageHeader = z.infer<typeof headerSchema>;

/** What the gateway puts on the queue for each batch, with what was accepted of it. */
export interface BatchMessage extends MessageHeader {
  readonly batch: Batch;
}

/** A message of the telemetry queue: its header in one line, and below it the batch as JSON, which may have lines. */
export function writeBatchMessage(header: MessageHeader, batchText: string): string {
  return `${JSON.stringify(header)}\n${batchText}`;
}

/**
 * A message's body, read back; or why it can never be read. Its batch is taken as it is: only the gateway writes
 * messages, and it has checked them.
 */
export function readBatchMessage(text: string): BatchMessage | { readonly unreadable: string } {
  const end = text.indexOf("\n");
  const [firstLine, batchText] = end < 0 ? [text, ""] : [text.slice(0, end), text.slice(end + 1)];
  const first = parseJson(firstLine);
  if (first === undefined) return { unreadable: "it is not JSON" };
  const header = headerSchema.safeParse(first);
  if (!header.success) {
    const [violation] = validationErrors(header.error.issues, first, "body");
    return { unreadable: `it is no batch: ${violation?.loc.join(".")}: ${violation?.msg}` };
  }
  const batch = parseJson(batchText);
  return batch === undefined ? { unreadable: "its batch is not JSON" } : { ...header.data, batch };
}

/** Undefined for what is no JSON. */
function parseJson(text: string) {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

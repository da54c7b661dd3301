import { gunzipSync } from "node:zlib";
import { type Batch, limits, timestampSchema, validationErrors } from "@whence/protocol";
import { z } from "zod";
import { unpackedChunkBytes } from "../plugins/unpack.ts";

/** Whose a batch is, and when it came. */
const headerSchema = z.object({
  scope_id: z.string().min(1),
  received_at: timestampSchema,
  /** How long its organization keeps it. Absent: as long as the service does. */
  retention_days: z.int().min(1).optional(),
});
export type MessageHeader = z.infer<typeof headerSchema>;

/** The first line of a message. Without an encoding, the batch below it is JSON. */
const firstLineSchema = headerSchema.extend({ encoding: z.literal("gzip").optional() });

/** What the gateway puts on the queue for each batch, with what was accepted of it. */
export interface BatchMessage extends MessageHeader {
  readonly batch: Batch;
}

/** A message of the telemetry queue: its header in one line, and below it the batch as JSON, which may have lines. */
export function writeBatchMessage(header: MessageHeader, batchText: string): string {
  return `${JSON.stringify(header)}\n${batchText}`;
}

/** The same with the batch as gzip, in Base64. Unpacked, it may take `limits.batchUnpackedBytesMax`. */
export function writePackedMessage(header: MessageHeader, packed: Buffer): string {
  return `${JSON.stringify({ ...header, encoding: "gzip" })}\n${packed.toString("base64")}`;
}

/**
 * A message's body, read back; or why it can never be read. Its batch is taken as it is: only the gateway writes
 * messages, and it has checked them.
 */
export function readBatchMessage(text: string): BatchMessage | { readonly unreadable: string } {
  const end = text.indexOf("\n");
  const [start, batchText] = end < 0 ? [text, ""] : [text.slice(0, end), text.slice(end + 1)];
  const first = parseJson(start);
  if (first === undefined) return { unreadable: "it is not JSON" };
  const firstLine = firstLineSchema.safeParse(first);
  if (!firstLine.success) {
    const [violation] = validationErrors(firstLine.error.issues, first, "body");
    return { unreadable: `it is no batch: ${violation?.loc.join(".")}: ${violation?.msg}` };
  }
  const { encoding, ...header } = firstLine.data;
  const json = encoding === "gzip" ? unpack(batchText) : batchText;
  if (json === undefined) return { unreadable: "its batch is not gzip" };
  const batch = parseJson(json);
  return batch === undefined ? { unreadable: "its batch is not JSON" } : { ...header, batch };
}

/** Undefined for what is no gzip. */
function unpack(packed: string): string | undefined {
  try {
    const bytes = Buffer.from(packed, "base64");
    const options = { chunkSize: unpackedChunkBytes(bytes), maxOutputLength: limits.batchUnpackedBytesMax };
    return gunzipSync(bytes, options).toString();
  } catch {
    return undefined;
  }
}

/** Undefined for what is no JSON. */
function parseJson(text: string) {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

import { gunzipSync } from "node:zlib";
import { type Batch, limits, parseJson, timestampSchema, validationErrors } from "@whence/protocol";
import type { StoredMeasure, StoredSessions, StoredSpan } from "@whence/storage";
import { z } from "zod";
import { unpackedChunkBytes } from "../plugins/unpack.ts";

/** The owner of a batch, and its time of arrival. */
const headerSchema = z.object({
  scope_id: z.string().min(1),
  received_at: timestampSchema,
  /** Its organization's retention. Absent for the service's default. */
  retention_days: z.int().min(1).optional(),
});
export type MessageHeader = z.infer<typeof headerSchema>;

/** The first line of a message. Without an encoding, the batch below it is JSON. */
const firstLineSchema = headerSchema.extend({ encoding: z.literal("gzip").optional() });

/** A step of a trace that is kept; its batch names the process. */
export interface KeptSpan {
  readonly trace_id: string;
  readonly span_id: string;
  /** Empty for the first of a trace. */
  readonly parent_id: string;
  readonly kind: StoredSpan["kind"];
  /** RFC 3339: when it began. */
  readonly at: string;
  readonly duration_ms: number;
  readonly name: string;
  readonly category: StoredSpan["category"];
  readonly method: string;
  readonly target: string;
  readonly peer: string;
  readonly status_code: number | null;
  /** Null when it did not fail. */
  readonly error: string | null;
  /** The number of spans that it represents. */
  readonly weight: number;
}

/** The state of a process at one time; the batch names it. Bytes and milliseconds are 0 where nothing was said. */
export interface KeptReading {
  /** RFC 3339. */
  readonly at: string;
  readonly rss_bytes: number;
  readonly heap_used_bytes: number;
  readonly heap_limit_bytes: number;
  readonly event_loop_delay_ms: number;
  /** Of the processors that it may use, the share that it used, from 0 to 1; 0 where nothing was said. */
  readonly cpu: number;
  /** Of its pools of connections the one that is closest to its limit; null when it reports none. */
  readonly pool: KeptPool | null;
}

/** A pool of connections. */
export interface KeptPool {
  readonly name: string;
  readonly used: number;
  /** 0 where nothing was said. */
  readonly max: number;
  /** Requests that wait for a connection. */
  readonly waiting: number;
}

/** What a metric of a process counts, as it was exported; its batch names the process. */
export type KeptMeasure = Pick<
  StoredMeasure,
  "kind" | "name" | "series" | "failed" | "counting" | "since" | "at" | "value"
>;

/** Sessions that a client reported at once; their batch names the service and its release. */
export type KeptSessions = Pick<StoredSessions, "id" | "at" | "sessions" | "crashed" | "unhandled">;

/** The gateway's message for each batch, with the accepted part of it. */
export interface BatchMessage extends MessageHeader {
  readonly batch: Batch & {
    readonly spans?: readonly KeptSpan[];
    readonly readings?: readonly KeptReading[];
    readonly measures?: readonly KeptMeasure[];
    readonly sessions?: readonly KeptSessions[];
  };
}

/**
 * Formats a message of the telemetry queue: its header on one line, followed by the batch as JSON, which may contain
 * line breaks.
 */
export function writeBatchMessage(header: MessageHeader, batchText: string): string {
  return `${JSON.stringify(header)}\n${batchText}`;
}

/** Formats the same with the batch as gzip, in Base64. Unpacked, it may have up to `limits.batchUnpackedBytesMax`. */
export function writePackedMessage(header: MessageHeader, packed: Buffer): string {
  return `${JSON.stringify({ ...header, encoding: "gzip" })}\n${packed.toString("base64")}`;
}

/**
 * Parses a message, or returns why it can never be read. Its batch isn't validated: only the gateway writes messages,
 * and it has validated them.
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
  const batch = readBatch(json);
  return batch === undefined ? { unreadable: "its batch is not JSON" } : { ...header, batch };
}

/** Returns undefined for invalid gzip. */
function unpack(packed: string): string | undefined {
  try {
    const bytes = Buffer.from(packed, "base64");
    const options = { chunkSize: unpackedChunkBytes(bytes), maxOutputLength: limits.batchUnpackedBytesMax };
    return gunzipSync(bytes, options).toString();
  } catch {
    return undefined;
  }
}

/** Returns undefined for invalid JSON. */
function readBatch(json: string): Batch | undefined {
  try {
    return JSON.parse(json);
  } catch {
    return undefined;
  }
}

import { z } from "zod";
import { gatewayErrors } from "../errors.ts";
import { sentryLimits } from "./sentry-limits.ts";

/** What the first line says; other fields, and invalid ones, aren't needed. */
const envelopeHeaderSchema = z.object({
  event_id: z.string().optional().catch(undefined),
  dsn: z.string().optional().catch(undefined),
  sent_at: z.string().max(64).optional().catch(undefined),
});

const itemHeaderSchema = z.object({
  type: z.string().min(1),
  /** Bytes. Without it, the item ends with its line. */
  length: z
    .int()
    .min(0)
    .nullish()
    .transform((length) => length ?? undefined),
});

/** One item of an envelope, such as an event or a session. */
export interface EnvelopeItem {
  readonly type: string;
  readonly payload: Buffer;
}

/** What a client of Sentry's sends at once. */
export interface Envelope {
  readonly eventId: string | undefined;
  readonly dsn: string | undefined;
  /** When the client sent it, as it wrote it. */
  readonly sentAt: string | undefined;
  readonly items: readonly EnvelopeItem[];
}

const newline = 0x0a;

/**
 * Parses an envelope: a line of JSON about it, then for each item a line of JSON and its payload. Throws
 * `WHENCE_ERR_SENTRY_ENVELOPE` when a line isn't what it should be, a payload is shorter than announced, or there are
 * too many items or empty lines; an envelope is read whole or not at all.
 */
export function parseEnvelope(body: Buffer): Envelope {
  const reader = new Reader(body);
  const { event_id: eventId, dsn, sent_at: sentAt } = parseLine(envelopeHeaderSchema, reader.line(), "its first line");
  const items: EnvelopeItem[] = [];
  for (reader.skipEmptyLines(); !reader.isAtEnd; reader.skipEmptyLines()) {
    const name = `item ${items.length + 1}`;
    if (items.length === sentryLimits.itemsMax) throw invalid(`it has more than ${sentryLimits.itemsMax} items`);
    const { type, length } = parseLine(itemHeaderSchema, reader.line(), `the header of ${name}`);
    items.push({ type, payload: length === undefined ? reader.line() : reader.bytes(length, name) });
  }
  return { eventId, dsn, sentAt, items };
}

/** Reads lines and lengths of bytes, from the start of a buffer to its end. */
class Reader {
  readonly #body: Buffer;
  #at = 0;
  #emptyLines = 0;

  constructor(body: Buffer) {
    this.#body = body;
  }

  get isAtEnd(): boolean {
    return this.#at >= this.#body.length;
  }

  /** Returns the bytes up to the next newline, or to the end. */
  line(): Buffer {
    const found = this.#body.indexOf(newline, this.#at);
    const end = found === -1 ? this.#body.length : found;
    const line = this.#body.subarray(this.#at, end);
    this.#at = end + 1;
    return line;
  }

  /** Returns exactly so many bytes, which a newline or the end follows. */
  bytes(length: number, name: string): Buffer {
    const end = this.#at + length;
    if (end > this.#body.length) throw invalid(`${name} ends before its length of ${length} bytes`);
    if (end < this.#body.length && this.#body[end] !== newline) {
      throw invalid(`${name} goes on after its length of ${length} bytes`);
    }
    const bytes = this.#body.subarray(this.#at, end);
    this.#at = end + 1;
    return bytes;
  }

  skipEmptyLines(): void {
    for (; this.#body[this.#at] === newline; this.#at += 1) {
      this.#emptyLines += 1;
      if (this.#emptyLines > sentryLimits.itemsMax)
        throw invalid(`it has more than ${sentryLimits.itemsMax} empty lines`);
    }
  }
}

function parseLine<Value>(schema: z.ZodType<Value>, line: Buffer, name: string): Value {
  if (line.length > sentryLimits.headerBytesMax) {
    throw invalid(`${name} is longer than ${sentryLimits.headerBytesMax} bytes`);
  }
  const parsed = schema.safeParse(parseJson(line));
  if (!parsed.success) throw invalid(`${name} isn't a JSON object with the fields that it needs`);
  return parsed.data;
}

/** Returns undefined for invalid JSON, whose own error would quote it. */
export function parseJson(bytes: Buffer): unknown {
  try {
    return JSON.parse(bytes.toString("utf8"));
  } catch {
    return undefined;
  }
}

function invalid(reason: string): Error {
  return gatewayErrors.create("WHENCE_ERR_SENTRY_ENVELOPE", [reason]);
}

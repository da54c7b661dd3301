import { parseJson } from "@whence/protocol";
import { z } from "zod";
import { gatewayErrors } from "../errors.ts";
import { GatheredBytes } from "../plugins/gathered-bytes.ts";
import { type Envelope, type EnvelopeItem, isReadType, itemBytesMaxOf } from "./envelope.ts";
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
type ItemHeader = z.infer<typeof itemHeaderSchema>;

const newline = 0x0a;
/** One byte more, so that what is cut is known to be too large. */
const lineBytesKept = sentryLimits.headerBytesMax + 1;

/** Where a reader is: in a line about the envelope or an item, in a payload of either kind, or right after one. */
type Place = "header" | "item" | "line" | "sized" | "after";

/**
 * Reads an envelope in pieces, however its bytes are cut into them. It keeps the payloads of items that are read, up to
 * `envelopeReadBytesMax` of all together, and nothing of the others, which may be large. Spans beyond are skipped as too
 * large; its errors are those of `parseEnvelope`, and `WHENCE_ERR_SENTRY_TOO_LARGE` for other items beyond.
 */
export class EnvelopeReader {
  #place: Place = "header";
  #envelope: Omit<Envelope, "items"> = { eventId: undefined, dsn: undefined, sentAt: undefined };
  readonly #items: EnvelopeItem[] = [];
  #item: ItemHeader = { type: "", length: undefined };
  /** Of the line, or of the payload of an item that is read. */
  #gathered = new GatheredBytes(lineBytesKept);
  /** Why the payload of the item isn't kept; null when it is. */
  #skipped: "unread" | "too_large" | null = null;
  /** Bytes of the payload that are still to come, if its length was announced. */
  #missing = 0;
  /** Bytes that the payload may have to be kept. */
  #bytesMax = 0;
  #emptyLines = 0;
  /** Of the items before. */
  #keptBytes = 0;
  readonly #isPage: boolean;

  /** `isPage` is whether the sender is known to be a page. */
  constructor(isPage: boolean) {
    this.#isPage = isPage;
  }

  push(chunk: Buffer): void {
    for (let at = 0; at < chunk.length; ) at = this.#take(chunk, at);
  }

  /** Returns the envelope, once everything has been pushed. */
  end(): Envelope {
    if (this.#place === "header" || (this.#place === "item" && this.#gathered.bytes > 0)) this.#endLine();
    if (this.#place === "sized") throw invalid(`${this.#name} ends before its length of ${this.#item.length} bytes`);
    if (this.#place === "line") this.#endItem();
    return { ...this.#envelope, items: this.#items };
  }

  get #name(): string {
    return `item ${this.#items.length + 1}`;
  }

  /** Takes what belongs together from `at` on, and returns where it ends. */
  #take(chunk: Buffer, at: number): number {
    if (this.#place === "sized") {
      const end = Math.min(chunk.length, at + this.#missing);
      this.#missing -= end - at;
      this.#keep(chunk.subarray(at, end));
      if (this.#missing === 0) this.#endItem();
      return end;
    }
    if (this.#place === "after") {
      if (chunk[at] !== newline) {
        throw invalid(`item ${this.#items.length} goes on after its length of ${this.#item.length} bytes`);
      }
      this.#place = "item";
      return at + 1;
    }
    return this.#takeLine(chunk, at);
  }

  #takeLine(chunk: Buffer, at: number): number {
    if (this.#place === "item" && this.#gathered.bytes === 0 && chunk[at] === newline) {
      this.#emptyLines += 1;
      if (this.#emptyLines > sentryLimits.itemsMax) {
        throw invalid(`it has more than ${sentryLimits.itemsMax} empty lines`);
      }
      return at + 1;
    }
    const found = chunk.indexOf(newline, at);
    this.#keep(chunk.subarray(at, found === -1 ? chunk.length : found));
    if (found === -1) return chunk.length;
    if (this.#place === "line") {
      this.#endItem();
      this.#place = "item";
    } else {
      this.#endLine();
    }
    return found + 1;
  }

  #keep(piece: Buffer): void {
    const isPayload = this.#place === "line" || this.#place === "sized";
    if (isPayload && this.#skipped) return;
    if (!isPayload || this.#gathered.bytes + piece.length <= this.#bytesMax) {
      this.#gathered.add(piece);
      return;
    }
    this.#skipped = "too_large";
    this.#gathered = new GatheredBytes(0);
  }

  /** Ends the line about the envelope, or about an item, whose payload follows. */
  #endLine(): void {
    const line = this.#gathered.taken();
    if (this.#place === "header") {
      const header = parseLine(envelopeHeaderSchema, line, "its first line");
      this.#envelope = { eventId: header.event_id, dsn: header.dsn, sentAt: header.sent_at };
      this.#place = "item";
      return;
    }
    if (this.#items.length === sentryLimits.itemsMax) {
      throw invalid(`it has more than ${sentryLimits.itemsMax} items`);
    }
    this.#item = parseLine(itemHeaderSchema, line, `the header of ${this.#name}`);
    this.#bytesMax = this.#bytesMaxOf(this.#item.type);
    this.#gathered = new GatheredBytes(this.#bytesMax);
    this.#skipped = isReadType(this.#item.type, this.#isPage) ? null : "unread";
    this.#missing = this.#item.length ?? 0;
    this.#place = this.#item.length === undefined ? "line" : "sized";
    if (this.#item.length === 0) this.#endItem();
  }

  /** Spans get what the items before leave of the sum. */
  #bytesMaxOf(type: string): number {
    const left = isSpans({ type }) ? sentryLimits.envelopeReadBytesMax - this.#keptBytes : Number.POSITIVE_INFINITY;
    return Math.min(itemBytesMaxOf(type), left);
  }

  #endItem(): void {
    const payload = this.#gathered.taken();
    this.#keptBytes += payload.length;
    this.#items.push({ type: this.#item.type, payload, isTooLarge: this.#skipped === "too_large" });
    this.#limitSum();
    this.#gathered = new GatheredBytes(lineBytesKept);
    this.#place = "after";
  }

  /** Skips spans for the sake of other items, the latest first. */
  #limitSum(): void {
    const { envelopeReadBytesMax } = sentryLimits;
    while (this.#keptBytes > envelopeReadBytesMax) {
      const latest = this.#items.findLastIndex((item) => isSpans(item) && item.payload.length > 0);
      const skipped = this.#items[latest];
      if (!skipped) {
        const what = "what is read of the envelope";
        throw gatewayErrors.create("WHENCE_ERR_SENTRY_TOO_LARGE", [what, envelopeReadBytesMax, "unpacked"]);
      }
      this.#keptBytes -= skipped.payload.length;
      this.#items[latest] = { type: skipped.type, payload: Buffer.alloc(0), isTooLarge: true };
    }
  }
}

function isSpans({ type }: { readonly type: string }): boolean {
  return type === "span";
}

/**
 * Parses an envelope: a line of JSON about it, then for each item a line of JSON and its payload. Throws
 * `WHENCE_ERR_SENTRY_ENVELOPE` when a line isn't what it should be, a payload is shorter than announced, or there are
 * too many items or empty lines; an envelope is read whole or not at all.
 */
export function parseEnvelope(body: Buffer, isPage = false): Envelope {
  const reader = new EnvelopeReader(isPage);
  reader.push(body);
  return reader.end();
}

function parseLine<Value>(schema: z.ZodType<Value>, line: Buffer, name: string): Value {
  if (line.length > sentryLimits.headerBytesMax) {
    throw invalid(`${name} is longer than ${sentryLimits.headerBytesMax} bytes`);
  }
  const parsed = schema.safeParse(parseJson(line.toString("utf8")));
  if (!parsed.success) throw invalid(`${name} isn't a JSON object with the fields that it needs`);
  return parsed.data;
}

function invalid(reason: string): Error {
  return gatewayErrors.create("WHENCE_ERR_SENTRY_ENVELOPE", [reason]);
}

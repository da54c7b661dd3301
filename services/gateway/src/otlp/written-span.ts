import { statusCodeNames } from "./called-thing.ts";
import { Budget, time } from "./codec.ts";
import { isFailedAnswer, isKeptKind, isSampled, isTelling } from "./kept-span.ts";
import { exceptionEvent, type Span, type SpanLink, span, spanLink } from "./span-message.ts";
import { WireReader } from "./wire-reader.ts";

/** A span as it came. Most aren't kept, which is known before the rest of it is read. */
export interface ReceivedSpan {
  readonly hasIds: boolean;
  readonly kind: number;
  /** False only if no error of it is kept, nor the span itself for what it says. */
  readonly mayTell: boolean;
  /** Whether it would be kept as one of the sample if it tells nothing. */
  readonly isOfSample: boolean;
  read(): Span;
  /** Reads which span it is, and of what span it is a part. */
  link(): SpanLink;
}

/** Tags: the number and the wire type of a field. */
const ofSpan = {
  traceId: 0x0a,
  spanId: 0x12,
  kind: 0x30,
  start: 0x39,
  end: 0x41,
  attribute: 0x4a,
  event: 0x5a,
  status: 0x7a,
} as const;
const ofEvent = { name: 0x12 } as const;
const ofStatus = { code: 0x18 } as const;
const ofAttribute = { key: 0x0a, value: 0x12 } as const;
const ofValue = { integer: 0x18 } as const;

const [traceIdBytes, spanIdBytes, sampledBytes] = [16, 8, 4];
const exceptionNames = [Buffer.from(exceptionEvent)];
const statusCodeKeys = statusCodeNames.map((name) => Buffer.from(name));
/** For what was counted before. */
const unlimited = new Budget();

/**
 * A span in bytes that were passed over without an error. Only what decides whether it is kept is read at first; of a
 * field that comes again, the last one counts.
 */
export class WrittenSpan implements ReceivedSpan {
  kind = 0;
  readonly hasIds: boolean;
  readonly mayTell: boolean;
  readonly isOfSample: boolean;
  readonly #bytes: Uint8Array;
  readonly #from: number;
  readonly #end: number;
  /** Where the last bytes of a valid trace ID are; 0 for an invalid one. */
  #sampledAt = 0;
  #hasSpanId = false;
  #startMs = 0;
  #endMs = 0;
  #statusCode = 0;
  /** Whether any event, and any attribute, says so. The whole span tells which of them count. */
  #mayHaveException = false;
  #mayHaveFailed = false;

  constructor(reader: WireReader, end: number) {
    this.#bytes = reader.source;
    this.#from = reader.pos;
    this.#end = end;
    while (reader.pos < end) this.#take(reader.nextTag(), reader);
    this.hasIds = this.#sampledAt > 0 && this.#hasSpanId;
    const isKept = this.hasIds && isKeptKind(this.kind);
    this.mayTell = (this.hasIds && this.#mayHaveException) || (isKept && this.#mayBeTelling());
    this.isOfSample = isKept && isSampled(this.#sampledValue());
  }

  read(): Span {
    return span.wholeBinary(this.#reader(), new Budget());
  }

  link(): SpanLink {
    return spanLink.wholeBinary(this.#reader(), new Budget());
  }

  #reader(): WireReader {
    return new WireReader(this.#bytes.subarray(this.#from, this.#end));
  }

  #take(tag: number, reader: WireReader): void {
    switch (tag) {
      case ofSpan.traceId:
        this.#sampledAt = passId(reader, traceIdBytes) ? reader.pos - sampledBytes : 0;
        break;
      case ofSpan.spanId:
        this.#hasSpanId = passId(reader, spanIdBytes);
        break;
      case ofSpan.kind:
        this.kind = reader.int32();
        break;
      case ofSpan.start:
        this.#startMs = time.binary(reader, unlimited);
        break;
      case ofSpan.end:
        this.#endMs = time.binary(reader, unlimited);
        break;
      case ofSpan.attribute:
        this.#mayHaveFailed = passAttribute(reader) || this.#mayHaveFailed;
        break;
      case ofSpan.event:
        this.#mayHaveException = passEvent(reader) || this.#mayHaveException;
        break;
      case ofSpan.status:
        this.#statusCode = passStatus(reader);
        break;
      default:
        reader.pass(tag);
    }
  }

  #mayBeTelling(): boolean {
    return this.#mayHaveFailed || isTelling(this.#statusCode, this.#endMs - this.#startMs);
  }

  #sampledValue(): number {
    let value = 0;
    for (let at = this.#sampledAt; at < this.#sampledAt + sampledBytes; at++) {
      value = value * 256 + (this.#bytes[at] ?? 0);
    }
    return value;
  }
}

/** Passes over an ID. Returns whether it is valid: as long as it must be, and not only zeros. */
function passId(reader: WireReader, length: number): boolean {
  const end = reader.endOfNext();
  let isValid = end - reader.pos === length;
  if (isValid) {
    let at = reader.pos;
    while (at < end && reader.source[at] === 0) at++;
    isValid = at < end;
  }
  reader.pos = end;
  return isValid;
}

/** Passes over an attribute. Returns whether it may be the status code of an answer that failed. */
function passAttribute(reader: WireReader): boolean {
  const end = reader.endOfNext();
  let [isStatusCode, mayHaveFailed] = [false, true];
  while (reader.pos < end) {
    const tag = reader.nextTag();
    if (tag === ofAttribute.key) isStatusCode = passText(reader, statusCodeKeys) || isStatusCode;
    else if (tag === ofAttribute.value) mayHaveFailed = !passSuccess(reader);
    else reader.pass(tag);
  }
  return isStatusCode && mayHaveFailed;
}

/** Passes over a value. Returns whether it is surely the status code of an answer that didn't fail. */
function passSuccess(reader: WireReader): boolean {
  const end = reader.endOfNext();
  let isSuccess = false;
  // Its tag, and a number of two bytes.
  const isShort = reader.pos < end && end - reader.pos <= 3;
  if (isShort && reader.source[reader.pos] === ofValue.integer) {
    reader.pos += 1;
    isSuccess = !isFailedAnswer(reader.next32()) && reader.pos === end;
  }
  reader.pos = end;
  return isSuccess;
}

/** Passes over an event. Returns whether it may be an exception. */
function passEvent(reader: WireReader): boolean {
  const end = reader.endOfNext();
  let isException = false;
  while (reader.pos < end) {
    const tag = reader.nextTag();
    if (tag === ofEvent.name) isException = passText(reader, exceptionNames) || isException;
    else reader.pass(tag);
  }
  return isException;
}

/** Passes over a status. Returns its code. */
function passStatus(reader: WireReader): number {
  const end = reader.endOfNext();
  let code = 0;
  while (reader.pos < end) {
    const tag = reader.nextTag();
    if (tag === ofStatus.code) code = reader.int32();
    else reader.pass(tag);
  }
  return code;
}

/** Passes over a text. Returns whether it is one of these. */
function passText(reader: WireReader, texts: readonly Uint8Array[]): boolean {
  const end = reader.endOfNext();
  const { source: bytes, pos } = reader;
  reader.pos = end;
  return texts.some((text) => text.length === end - pos && text.every((byte, index) => byte === bytes[pos + index]));
}

import type { Readable } from "node:stream";
import { pipeline } from "node:stream/promises";
import { WhenceError } from "@whence/protocol";
import type { FastifyRequest } from "fastify";
import { gatewayErrors } from "../errors.ts";
import type { GatewayMetrics } from "../metrics.ts";
import { receiveUpTo } from "../plugins/receive.ts";
import { placeOf } from "../plugins/shed-load.ts";
import { type UnpackLimits, unpackBody, unpackingStream } from "../plugins/unpack-body.ts";
import type { UnpackQueue } from "../plugins/unpack-queue.ts";
import { type Envelope, sendsFromPages } from "./envelope.ts";
import { EnvelopeReader, parseEnvelope } from "./envelope-reader.ts";
import { sentryLimits } from "./sentry-limits.ts";

/** What reading a body needs. */
export interface BodyReading {
  readonly bytes: GatewayMetrics["bytes"];
  /** For bodies that are unpacked whole. */
  readonly queue: UnpackQueue;
}

const { wholeBytesMax, wholeUnpackedBytesMax, envelopeBytesMax, envelopeUnpackedBytesMax } = sentryLimits;

const whole: UnpackLimits = {
  bytesMax: wholeUnpackedBytesMax,
  tooLarge: () => tooLarge(wholeUnpackedBytesMax, "unpacked"),
  corrupt,
};

/** Reads the body of a request whole, and unpacks it. */
export async function readWhole(request: FastifyRequest, body: Readable, reading: BodyReading): Promise<Buffer> {
  const { bytes, isAll } = await receiveUpTo(wholeBytesMax, body);
  if (!isAll) throw tooLarge(wholeBytesMax, "on the wire");
  return unpackWhole(request, bytes, reading);
}

/**
 * Reads the body of a request as an envelope. One that is too large to be read whole is read in parts, if its sender is
 * known: an event is kept that comes with large attachments.
 */
export async function readEnvelope(request: FastifyRequest, body: Readable, reading: BodyReading): Promise<Envelope> {
  const announced = Number(request.headers["content-length"] ?? 0);
  if (announced > envelopeBytesMax) throw tooLarge(envelopeBytesMax, "on the wire");
  if (!request.sender) return parseEnvelope(await readWhole(request, body, reading));
  const { bytes: first, isAll } = await receiveUpTo(wholeBytesMax, body);
  const unpacked = isAll ? await unpackWhole(request, first, reading).catch(ifTooLarge) : null;
  if (unpacked) return parseEnvelope(unpacked, isPage(request));
  const read = () => readInParts(request, first, isAll ? null : body, reading);
  return placeOf(request).readInParts(sentryLimits.envelopeReadBytesMax, read);
}

function isPage({ sender }: FastifyRequest): boolean {
  return Boolean(sender?.project && sendsFromPages(sender.project));
}

/** Returns null for the error of a body that is too large to be unpacked whole, and throws any other. */
function ifTooLarge(error: unknown): null {
  if (error instanceof WhenceError && error.code === "WHENCE_ERR_SENTRY_TOO_LARGE") return null;
  throw error;
}

async function unpackWhole(request: FastifyRequest, body: Buffer, { bytes, queue }: BodyReading): Promise<Buffer> {
  return queue.run(async () => {
    const unpacked = await unpackBody(request, body, whole);
    bytes.inc({ form: "wire" }, body.length);
    bytes.inc({ form: "unpacked" }, unpacked.length);
    placeOf(request).resize(unpacked.length);
    return unpacked;
  });
}

/** Reads a body whose first bytes have arrived; the others come from a stream. */
async function readInParts(
  request: FastifyRequest,
  first: Buffer,
  others: Readable | null,
  { bytes }: BodyReading,
): Promise<Envelope> {
  const wire = new Counted(envelopeBytesMax, "on the wire");
  const unpacked = new Counted(envelopeUnpackedBytesMax, "unpacked");
  const reader = new EnvelopeReader(isPage(request));
  async function* received(): AsyncGenerator<Buffer> {
    yield wire.count(first);
    // The answer needs the connection that a destroyed stream would close.
    for await (const chunk of others?.iterator({ destroyOnReturn: false }) ?? []) yield wire.count(chunk);
  }
  const read = async (chunks: AsyncIterable<Buffer>): Promise<void> => {
    for await (const chunk of chunks) reader.push(unpacked.count(chunk));
  };
  const unpacking = unpackingStream(request, first);
  try {
    if (unpacking) await pipeline(received, unpacking, read);
    else await read(received());
  } catch (error) {
    throw error instanceof WhenceError || request.raw.readableAborted ? error : corrupt(error);
  }
  bytes.inc({ form: "wire" }, wire.bytes);
  bytes.inc({ form: "unpacked" }, unpacked.bytes);
  return reader.end();
}

/** Counts bytes up to a limit. */
class Counted {
  readonly #bytesMax: number;
  readonly #where: string;
  bytes = 0;

  constructor(bytesMax: number, where: string) {
    this.#bytesMax = bytesMax;
    this.#where = where;
  }

  /** Returns the chunk. */
  count(chunk: Buffer): Buffer {
    this.bytes += chunk.length;
    if (this.bytes > this.#bytesMax) throw tooLarge(this.#bytesMax, this.#where);
    return chunk;
  }
}

function tooLarge(bytesMax: number, where: string): Error {
  return gatewayErrors.create("WHENCE_ERR_SENTRY_TOO_LARGE", ["the envelope", bytesMax, where]);
}

function corrupt(cause: unknown): Error {
  return gatewayErrors.create("WHENCE_ERR_SENTRY_ENVELOPE", ["it can't be unpacked"], { cause });
}

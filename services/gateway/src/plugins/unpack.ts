import type { IncomingMessage } from "node:http";
import { promisify } from "node:util";
import { gunzip } from "node:zlib";
import { limits, parseJson, violation } from "@whence/protocol";
import type { FastifyInstance, FastifyReply, FastifyRequest } from "fastify";
import { gatewayErrors } from "../errors.ts";
import type { GatewayMetrics } from "../metrics.ts";
import { receiveWhole } from "./receive.ts";
import type { BodySizes } from "./shed-load.ts";
import { Turns } from "./turns.ts";
import { UnpackQueue } from "./unpack-queue.ts";

const gunzipAsync = promisify(gunzip);
/** Bytes per turn of the unpacking thread when the total length is unknown or larger. */
const chunkBytesMin = 16_384;
const chunkBytesMax = 262_144;
/** A chunk filled to its last byte needs one more turn to detect the end. */
const chunkBytesSpare = 1_024;

/** Encodings by their name in `Content-Encoding`; the alias is from RFC 9110, section 8.4.1.3. */
const encodings: ReadonlyMap<string, "gzip" | "identity"> = new Map([
  ["", "identity"],
  ["identity", "identity"],
  ["gzip", "gzip"],
  ["x-gzip", "gzip"],
]);

/** A request's body, unpacked. */
export interface ReceivedBody {
  /** JSON. */
  readonly text: string;
  readonly value: unknown;
  /** The body as received, if it was gzip. */
  readonly packed?: Buffer | undefined;
}

/** A hook that refuses an unsupported encoding before the body is read. */
export async function refuseUnknownEncoding(request: FastifyRequest, reply: FastifyReply): Promise<void> {
  if (encodingOf(request) !== undefined) return;
  reply.header("accept-encoding", "gzip");
  throw gatewayErrors.create("WHENCE_ERR_BATCH_TYPE", ["this content encoding"]);
}

/**
 * Makes the app accept only JSON, compressed or not. The route's `bodyLimit` limits the bytes received, and
 * `limits.batchUnpackedBytesMax` the unpacked bytes, at which unpacking stops. Unpacks in a separate thread.
 */
export function takeJson(app: FastifyInstance, { bytes }: GatewayMetrics): void {
  const turns = new Turns();
  const queue = new UnpackQueue();
  app.removeAllContentTypeParsers();
  app.addContentTypeParser("application/json", async (request: FastifyRequest, stream: IncomingMessage) => {
    const body = await receiveWhole(request, stream);
    bytes.inc({ form: "wire" }, body.length);
    const packed = encodingOf(request) === "gzip" && body.length > 0 ? body : undefined;
    const fitting = (unpacked: Buffer): Buffer => {
      bytes.inc({ form: "unpacked" }, unpacked.length);
      request.place?.resize(unpacked.length);
      return unpacked;
    };
    const unpacked = packed ? await queue.run(async () => fitting(await unpack(packed))) : fitting(body);
    await turns.take(unpacked.length);
    return { ...readJson(unpacked), packed };
  });
}

/** The sizes of batches. */
export const batchSizes: BodySizes = {
  wireBytesMax: limits.batchBytesMax,
  unpackedBytesMax: limits.batchUnpackedBytesMax,
  unknownBytes: limits.batchBytesMax,
  isPacked: (request) => encodingOf(request) === "gzip",
};

/** Returns undefined for an unsupported encoding. */
export function encodingOf(request: FastifyRequest): "gzip" | "identity" | undefined {
  return encodings.get((request.headers["content-encoding"] ?? "").trim().toLowerCase());
}

async function unpack(body: Buffer): Promise<Buffer> {
  try {
    return await gunzipAsync(body, {
      chunkSize: unpackedChunkBytes(body),
      maxOutputLength: limits.batchUnpackedBytesMax,
    });
  } catch (error) {
    if (error instanceof Error && "code" in error && error.code === "ERR_BUFFER_TOO_LARGE") {
      throw gatewayErrors.create("WHENCE_ERR_BATCH_TOO_LARGE", [limits.batchUnpackedBytesMax, "unpacked"]);
    }
    throw gatewayErrors.create("WHENCE_ERR_BATCH_CORRUPT", [], { cause: error });
  }
}

/**
 * Returns a chunk size that fits the whole body, if it is small enough: a turn of the thread costs more than its work.
 * Gzip ends with the length of its content (RFC 1952, section 2.3.1), which is trusted only within the limits.
 */
export function unpackedChunkBytes(packed: Buffer): number {
  const length = packed.length < 4 ? 0 : packed.readUInt32LE(packed.length - 4);
  return Math.min(chunkBytesMax, Math.max(chunkBytesMin, length + chunkBytesSpare));
}

function readJson(body: Buffer): Omit<ReceivedBody, "packed"> {
  if (body.length === 0) throw violation(["body"], "missing", "Field required");
  const text = body.toString("utf8");
  const value = parseJson(text);
  if (value === undefined) throw violation(["body"], "json_invalid", "JSON decode error");
  return { text, value };
}

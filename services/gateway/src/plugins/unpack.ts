import { promisify } from "node:util";
import { gunzip } from "node:zlib";
import { limits, violation } from "@whence/protocol";
import type { FastifyInstance, FastifyReply, FastifyRequest } from "fastify";
import { gatewayErrors } from "../errors.ts";
import type { GatewayMetrics } from "../metrics.ts";
import { Turns } from "./turns.ts";

const gunzipAsync = promisify(gunzip);
/** Per turn of the unpacking thread, where the length of the whole isn't said or is longer. */
const chunkBytesMin = 16_384;
const chunkBytesMax = 262_144;
/** A chunk filled to its last byte takes one more turn, to find that nothing is left. */
const chunkBytesSpare = 1_024;

/** By its name in `Content-Encoding`; the alias is RFC 9110, section 8.4.1.3. */
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
  /** As it came, if it came as gzip. */
  readonly packed?: Buffer | undefined;
}

/** A hook that refuses a body that could not be unpacked before it is read. */
export async function refuseUnknownEncoding(request: FastifyRequest, reply: FastifyReply): Promise<void> {
  if (encodingOf(request) !== undefined) return;
  reply.header("accept-encoding", "gzip");
  throw gatewayErrors.create("WHENCE_ERR_BATCH_TYPE", ["this content encoding"]);
}

/**
 * Has the app take JSON alone, packed or not. What comes over the wire is bounded by the route's `bodyLimit`; what it
 * unpacks to by `limits.batchUnpackedBytesMax`, where unpacking stops, in a thread of its own.
 */
export function takeJson(app: FastifyInstance, { bytes }: GatewayMetrics): void {
  const turns = new Turns();
  app.removeAllContentTypeParsers();
  app.addContentTypeParser("application/json", { parseAs: "buffer" }, async (request: FastifyRequest, body: Buffer) => {
    bytes.inc({ form: "wire" }, body.length);
    const packed = encodingOf(request) === "gzip" && body.length > 0 ? body : undefined;
    const unpacked = packed ? await unpack(packed) : body;
    bytes.inc({ form: "unpacked" }, unpacked.length);
    request.place?.resize(unpacked.length);
    await turns.take(unpacked.length);
    return { ...parseJson(unpacked), packed };
  });
}

/** Undefined for one that is not taken. */
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
 * A chunk that takes the whole at once, where that is small enough: a turn of the thread costs more than its work. Gzip
 * ends with the length of what it holds (RFC 1952, section 2.3.1), which is only believed as far as the bounds.
 */
export function unpackedChunkBytes(packed: Buffer): number {
  const length = packed.length < 4 ? 0 : packed.readUInt32LE(packed.length - 4);
  return Math.min(chunkBytesMax, Math.max(chunkBytesMin, length + chunkBytesSpare));
}

function parseJson(body: Buffer): Omit<ReceivedBody, "packed"> {
  if (body.length === 0) throw violation(["body"], "missing", "Field required");
  const text = body.toString("utf8");
  try {
    return { text, value: JSON.parse(text) };
  } catch {
    // The parser's own words quote the body, which may hold secrets.
    throw violation(["body"], "json_invalid", "JSON decode error");
  }
}

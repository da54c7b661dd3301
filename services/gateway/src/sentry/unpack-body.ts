import { promisify } from "node:util";
import { brotliDecompress, gunzip, inflate, inflateRaw, type ZlibOptions, zstdDecompress } from "node:zlib";
import type { FastifyRequest } from "fastify";
import { gatewayErrors } from "../errors.ts";
import { sentryLimits } from "./sentry-limits.ts";

type Unpack = (body: Buffer, options: Pick<ZlibOptions, "maxOutputLength">) => Promise<Buffer>;

const inflateAsync = promisify<Buffer, ZlibOptions, Buffer>(inflate);
const inflateRawAsync = promisify<Buffer, ZlibOptions, Buffer>(inflateRaw);

/** How a zlib stream starts (RFC 1950, section 2.2): some clients send the bare deflate stream under the same name. */
const zlibMethod = 8;
const zlibMethodMask = 0x0f;

const unpackers: ReadonlyMap<string, Unpack> = new Map<string, Unpack>([
  ["gzip", promisify<Buffer, ZlibOptions, Buffer>(gunzip)],
  ["x-gzip", promisify<Buffer, ZlibOptions, Buffer>(gunzip)],
  [
    "deflate",
    (body, options) =>
      ((body[0] ?? 0) & zlibMethodMask) === zlibMethod ? inflateAsync(body, options) : inflateRawAsync(body, options),
  ],
  ["br", promisify<Buffer, Pick<ZlibOptions, "maxOutputLength">, Buffer>(brotliDecompress)],
  ["zstd", promisify<Buffer, Pick<ZlibOptions, "maxOutputLength">, Buffer>(zstdDecompress)],
]);

/** The encodings that are unpacked, as in `Accept-Encoding`. */
export const acceptedEncodings = "gzip, deflate, br, zstd";

/** Whether a body needs unpacking; undefined when its encoding is unknown. */
export function isPacked({ headers }: Pick<FastifyRequest, "headers">): boolean | undefined {
  const encoding = encodingOf(headers);
  if (encoding === "" || encoding === "identity") return false;
  return unpackers.has(encoding) ? true : undefined;
}

/** Unpacks a request's body in another thread, up to `sentryLimits.envelopeUnpackedBytesMax`. */
export async function unpackBody({ headers }: Pick<FastifyRequest, "headers">, body: Buffer): Promise<Buffer> {
  const unpack = unpackers.get(encodingOf(headers));
  if (unpack === undefined || body.length === 0) return body;
  try {
    return await unpack(body, { maxOutputLength: sentryLimits.envelopeUnpackedBytesMax });
  } catch (error) {
    if (error instanceof Error && "code" in error && error.code === "ERR_BUFFER_TOO_LARGE") {
      throw gatewayErrors.create("WHENCE_ERR_SENTRY_TOO_LARGE", [
        "the envelope",
        sentryLimits.envelopeUnpackedBytesMax,
        "unpacked",
      ]);
    }
    throw gatewayErrors.create("WHENCE_ERR_SENTRY_ENVELOPE", ["it can't be unpacked"], { cause: error });
  }
}

function encodingOf(headers: FastifyRequest["headers"]): string {
  return (headers["content-encoding"] ?? "").trim().toLowerCase();
}

import type { Transform } from "node:stream";
import { promisify } from "node:util";
import {
  brotliDecompress,
  constants,
  createBrotliDecompress,
  createGunzip,
  createInflate,
  createInflateRaw,
  createZstdDecompress,
  gunzip,
  inflate,
  inflateRaw,
  type ZlibOptions,
  type ZstdOptions,
  zstdDecompress,
} from "node:zlib";
import type { FastifyRequest } from "fastify";

type Unpack = (body: Buffer, options: Pick<ZlibOptions, "maxOutputLength">) => Promise<Buffer>;

const inflateAsync = promisify<Buffer, ZlibOptions, Buffer>(inflate);
const inflateRawAsync = promisify<Buffer, ZlibOptions, Buffer>(inflateRaw);

/** How a zlib stream starts (RFC 1950, section 2.2): some clients send the bare deflate stream under the same name. */
const zlibMethod = 8;
const zlibMethodMask = 0x0f;

/** What a Zstandard stream may look back at: 8 MiB, its largest window over HTTP (RFC 9659). It is held while unpacking. */
const zstdParams = { [constants.ZSTD_d_windowLogMax]: 23 };
const zstdDecompressAsync = promisify<Buffer, ZstdOptions, Buffer>(zstdDecompress);

const unpackers: ReadonlyMap<string, Unpack> = new Map<string, Unpack>([
  ["gzip", promisify<Buffer, ZlibOptions, Buffer>(gunzip)],
  ["x-gzip", promisify<Buffer, ZlibOptions, Buffer>(gunzip)],
  ["deflate", (body, options) => (isZlib(body) ? inflateAsync(body, options) : inflateRawAsync(body, options))],
  ["br", promisify<Buffer, Pick<ZlibOptions, "maxOutputLength">, Buffer>(brotliDecompress)],
  ["zstd", (body, options) => zstdDecompressAsync(body, { ...options, params: zstdParams })],
]);

/** Bytes that are unpacked at once: each time costs a turn of another thread. */
const chunkSize = 262_144;

/** What unpacks a body as it arrives, by the encoding and the body's start. */
const unpackingStreams: ReadonlyMap<string, (start: Buffer) => Transform> = new Map<
  string,
  (start: Buffer) => Transform
>([
  ["gzip", () => createGunzip({ chunkSize })],
  ["x-gzip", () => createGunzip({ chunkSize })],
  ["deflate", (start) => (isZlib(start) ? createInflate({ chunkSize }) : createInflateRaw({ chunkSize }))],
  ["br", () => createBrotliDecompress({ chunkSize })],
  ["zstd", () => createZstdDecompress({ chunkSize, params: zstdParams })],
]);

function isZlib([first = 0]: Uint8Array): boolean {
  return (first & zlibMethodMask) === zlibMethod;
}

/** The encodings that are unpacked, as in `Accept-Encoding`. */
export const acceptedEncodings = "gzip, deflate, br, zstd";

/** Whether a body needs unpacking; undefined when its encoding is unknown. */
export function isPacked({ headers }: Pick<FastifyRequest, "headers">): boolean | undefined {
  const encoding = encodingOf(headers);
  if (encoding === "" || encoding === "identity") return false;
  return unpackers.has(encoding) ? true : undefined;
}

/** How much a body may hold, and the errors for one that holds more, and for one that isn't what its encoding says. */
export interface UnpackLimits {
  readonly bytesMax: number;
  readonly tooLarge: () => Error;
  readonly corrupt: (cause: unknown) => Error;
}

/** Unpacks a request's body in another thread, up to a limit. */
export async function unpackBody(
  { headers }: Pick<FastifyRequest, "headers">,
  body: Buffer,
  { bytesMax, tooLarge, corrupt }: UnpackLimits,
): Promise<Buffer> {
  const unpack = unpackers.get(encodingOf(headers));
  if (unpack === undefined || body.length === 0) return body;
  try {
    return await unpack(body, { maxOutputLength: bytesMax });
  } catch (error) {
    if (error instanceof Error && "code" in error && error.code === "ERR_BUFFER_TOO_LARGE") throw tooLarge();
    throw corrupt(error);
  }
}

/** Returns what unpacks a request's body as it arrives; undefined when it isn't packed. */
export function unpackingStream(
  { headers }: Pick<FastifyRequest, "headers">,
  start: Buffer = Buffer.alloc(0),
): Transform | undefined {
  return unpackingStreams.get(encodingOf(headers))?.(start);
}

function encodingOf(headers: FastifyRequest["headers"]): string {
  return (headers["content-encoding"] ?? "").trim().toLowerCase();
}

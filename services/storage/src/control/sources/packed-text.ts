import { promisify } from "node:util";
import { zstdCompress, zstdDecompress } from "node:zlib";
import type { FileContent, Observed } from "@whence/protocol";

const compress = promisify(zstdCompress);
const decompress = promisify(zstdDecompress);

/** A pasted text with its files as they are stored: compressed. */
export interface PackedText {
  readonly kind: "packed-text";
  readonly errorLog: Uint8Array;
  readonly files: readonly { readonly name: string; readonly content: Uint8Array }[];
  /** What was seen of the failure in watched runs of its command, as JSON. */
  readonly observed: string | null;
  /** The stored size of texts and names, in bytes. */
  readonly bytes: number;
}

/** Compresses off the event loop, which the encoding of the texts still keeps busy: for large ones, call it in a thread. */
export async function packText(
  errorLog: string,
  files: readonly FileContent[],
  observed: Observed | null = null,
): Promise<PackedText> {
  const observedJson = observed && JSON.stringify(observed);
  const packed = {
    errorLog: await compress(errorLog),
    files: await Promise.all(files.map(async ({ name, content }) => ({ name, content: await compress(content) }))),
  };
  const bytes = packed.files.reduce(
    (sum, { name, content }) => sum + Buffer.byteLength(name) + content.length,
    packed.errorLog.length + Buffer.byteLength(observedJson ?? ""),
  );
  return { kind: "packed-text", ...packed, observed: observedJson, bytes };
}

/** A text on its own, compressed. */
export function pack(text: string): Promise<Uint8Array> {
  return compress(text);
}

/** A text that {@link packText} or {@link pack} compressed. */
export async function unpack(packed: Uint8Array): Promise<string> {
  return (await decompress(packed)).toString("utf8");
}

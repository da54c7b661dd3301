import { constants } from "node:fs";
import { open } from "node:fs/promises";
import { limits } from "@whence/protocol";

/** A file that can be sent, or the reason why it can't. */
export type SourceFile =
  | { readonly outcome: "read"; readonly text: string; readonly bytes: number }
  | { readonly outcome: "missing" | "no file" | "too large" | "no text" };

/** Reads a text file of at most `bytesMax` bytes. Never blocks on a pipe or a device. */
export async function readSourceFile(path: string, bytesMax: number = limits.fileContentBytesMax): Promise<SourceFile> {
  const handle = await open(path, constants.O_RDONLY | constants.O_NONBLOCK).catch(() => null);
  if (!handle) return { outcome: "missing" };
  try {
    const stats = await handle.stat();
    if (!stats.isFile()) return { outcome: "no file" };
    if (stats.size > bytesMax) return { outcome: "too large" };
    const bytes = await handle.readFile();
    const text = decodeText(bytes);
    return text === null ? { outcome: "no text" } : { outcome: "read", text, bytes: bytes.byteLength };
  } finally {
    await handle.close();
  }
}

/** Returns null for what isn't UTF-8, or contains a zero byte, which source code doesn't. */
export function decodeText(bytes: Uint8Array): string | null {
  if (bytes.includes(0)) return null;
  try {
    return new TextDecoder("utf-8", { fatal: true, ignoreBOM: true }).decode(bytes);
  } catch {
    return null;
  }
}

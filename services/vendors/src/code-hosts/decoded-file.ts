import type { HostedFile } from "./code-host.ts";

const byteOrderMark = Buffer.from("\uFEFF");

/** Decodes a file from base64, as both hosts return it. Source code is UTF-8 without zero bytes. */
export function decodedFile(base64: string, bytesMax: number, version: string): HostedFile {
  const bytes = Buffer.from(base64, "base64");
  if (bytes.length > bytesMax) return { outcome: "too-large" };
  try {
    const text = new TextDecoder("utf-8", { fatal: true }).decode(bytes);
    if (text.includes("\0")) return { outcome: "not-text" };
    const hasByteOrderMark = bytes.subarray(0, byteOrderMark.length).equals(byteOrderMark);
    return { outcome: "read", text, version, ...(hasByteOrderMark ? { hasByteOrderMark } : {}) };
  } catch {
    return { outcome: "not-text" };
  }
}

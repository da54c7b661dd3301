import type { HostedFile } from "./code-host.ts";

/** Decodes a file from base64, as both hosts return it. Source code is UTF-8 without zero bytes. */
export function decodedFile(base64: string, bytesMax: number, version: string): HostedFile {
  const bytes = Buffer.from(base64, "base64");
  if (bytes.length > bytesMax) return { outcome: "too-large" };
  try {
    const text = new TextDecoder("utf-8", { fatal: true }).decode(bytes);
    return text.includes("\0") ? { outcome: "not-text" } : { outcome: "read", text, version };
  } catch {
    return { outcome: "not-text" };
  }
}

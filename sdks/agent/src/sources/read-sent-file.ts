import { credentialIn, limits, withoutCredentials } from "@whence/protocol";
import { readSourceFile, type SourceFile } from "./read-source-file.ts";

/** A file as it is sent: its credentials masked. */
export type SentFile =
  | Exclude<SourceFile, { readonly outcome: "read" }>
  /** `credential` says what kind was masked, of several the first; null when none was seen. */
  | (Extract<SourceFile, { readonly outcome: "read" }> & { readonly credential: string | null });

/** Reads a file that is to leave the machine, of at most `bytesMax` bytes. */
export async function readSentFile(path: string, bytesMax: number = limits.fileContentBytesMax): Promise<SentFile> {
  const file = await readSourceFile(path, bytesMax);
  if (file.outcome !== "read") return file;
  const credential = credentialIn(file.text);
  return credential === null
    ? { ...file, credential }
    : { outcome: "read", text: withoutCredentials(file.text), bytes: file.bytes, credential };
}

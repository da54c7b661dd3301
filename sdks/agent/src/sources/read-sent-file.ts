import { credentialIn, limits, withoutCredentials } from "@whence/protocol";
import { readSourceFile, type SourceFile } from "./read-source-file.ts";

/** A file as sent, with its credentials masked. */
export type SentFile =
  | Exclude<SourceFile, { readonly outcome: "read" }>
  /** `credential` is the kind of the first masked credential; null when there is none. */
  | (Extract<SourceFile, { readonly outcome: "read" }> & { readonly credential: string | null });

/** Reads a file that will leave the machine, of at most `bytesMax` bytes. */
export async function readSentFile(path: string, bytesMax: number = limits.fileContentBytesMax): Promise<SentFile> {
  const file = await readSourceFile(path, bytesMax);
  if (file.outcome !== "read") return file;
  const credential = credentialIn(file.text, path);
  return credential === null
    ? { ...file, credential }
    : { outcome: "read", text: withoutCredentials(file.text, path), bytes: file.bytes, credential };
}

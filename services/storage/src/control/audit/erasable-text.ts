import { createHash, randomBytes } from "node:crypto";

/** What stands in place of text that was removed with a person's account. */
export const removedText = "a removed account";

const saltBytes = 16;

/** Text as the chain of hashes has it: by a digest, which stays when the text and its salt are removed. */
export interface SealedText {
  /** Null once the text was removed: without it, the digest can't be compared with guessed texts. */
  readonly salt: string | null;
  /** SHA-256 (hex) of the salt and the text. */
  readonly digest: string;
}

/** Seals text that can be removed later. */
export function sealText(text: string): SealedText {
  const salt = randomBytes(saltBytes).toString("hex");
  return { salt, digest: digestOf(salt, text) };
}

/** Whether text is what was sealed, or was removed. */
export function isSealedText(text: string, { salt, digest }: SealedText): boolean {
  return salt === null ? text === removedText : digestOf(salt, text) === digest;
}

function digestOf(salt: string, text: string): string {
  return createHash("sha256")
    .update(JSON.stringify([salt, text]))
    .digest("hex");
}

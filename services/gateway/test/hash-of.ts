import { createHash } from "node:crypto";

/** Returns a key's hash in the directory. */
export function hashOf(key: string): string {
  return createHash("sha256").update(key).digest("hex");
}

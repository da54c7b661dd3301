import { createHash } from "node:crypto";

/** A key as the directory knows it. */
export function hashOf(key: string): string {
  return createHash("sha256").update(key).digest("hex");
}

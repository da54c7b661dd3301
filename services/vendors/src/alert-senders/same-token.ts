import { hash, timingSafeEqual } from "node:crypto";

/** Compares tokens in constant time, whatever their lengths. */
export function isSameToken(left: string, right: string): boolean {
  return timingSafeEqual(digest(left), digest(right));
}

function digest(token: string): Buffer {
  return hash("sha256", token, "buffer");
}

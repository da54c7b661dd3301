import { loadBuiltin } from "./load-builtin.ts";

/** Random bytes are drawn in bulk: one draw costs about the same for 10 bytes as for 1,000. */
const bytesPerDraw = 1_000;
const randomBytesPerId = 10;
/** The drawn bytes as hex digits, and how many digits were used. */
let digits = "";
let used = 0;

/** Returns a UUIDv7 (RFC 9562, section 5.7): 48 bits of milliseconds since 1970, then 74 random bits. Sorts by time. */
export function uuidv7(now: number): string {
  const time = Math.trunc(now).toString(16).padStart(12, "0").slice(-12);
  const random = randomHex(randomBytesPerId);
  const variant = (8 | (Number.parseInt(random.charAt(3), 16) & 3)).toString(16);
  return `${time.slice(0, 8)}-${time.slice(8)}-7${random.slice(0, 3)}-${variant}${random.slice(4, 7)}-${random.slice(7, 19)}`;
}

/** Returns `bytes` random bytes as lowercase hex; at most {@link bytesPerDraw}. */
export function randomHex(bytes: number): string {
  if (used + 2 * bytes > digits.length) {
    const { randomBytes }: typeof import("node:crypto") = loadBuiltin("node:crypto");
    digits = randomBytes(bytesPerDraw).toString("hex");
    used = 0;
  }
  used += 2 * bytes;
  return digits.slice(used - 2 * bytes, used);
}

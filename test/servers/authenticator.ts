import { createHmac } from "node:crypto";

const alphabet = "ABCDEFGHIJKLMNOPQRSTUVWXYZ234567";
const periodMs = 30_000;
const bitsOfCharacter = 5;
const bitsOfByte = 8;

/** Returns the six digits that an authenticator app shows at a time (RFC 6238), for a key in base32. */
export function codeOf(key: string, atMs: number = Date.now()): string {
  const counter = Buffer.alloc(8);
  counter.writeBigUInt64BE(BigInt(Math.floor(atMs / periodMs)));
  const digest = createHmac("sha1", bytesOf(key)).update(counter).digest();
  const offset = (digest.at(-1) ?? 0) & 0x0f;
  const number = digest.readUInt32BE(offset) & 0x7fff_ffff;
  return String(number % 1_000_000).padStart(6, "0");
}

function bytesOf(key: string): Buffer {
  const bits = [...key.replace(/=+$/, "")]
    .map((character) => alphabet.indexOf(character).toString(2).padStart(bitsOfCharacter, "0"))
    .join("");
  const bytes = bits.match(new RegExp(`.{${bitsOfByte}}`, "g")) ?? [];
  return Buffer.from(bytes.map((byte) => Number.parseInt(byte, 2)));
}

import { createHash, createHmac, randomBytes } from "node:crypto";
import { crc32 } from "node:zlib";

const alphabet = "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz";
const randomBytesPerSecret = 32;
/** Base62 digits of 256 bits, and of the 32 bits of the checksum. */
const digitsOfSecret = 43;
const digitsOfChecksum = 6;

/**
 * The kinds of secrets: an organization's key, an agent's key, an agent's claim token, the key of a job's check-ins, or
 * a link to a report.
 */
export type SecretPrefix = "whk" | "wha" | "whc" | "whm" | "whs";

/**
 * Creates a secret: its prefix, 43 base62 digits of 32 random bytes, and 6 of their CRC-32, so that secret scanners can
 * recognize it.
 */
export function mintSecret(prefix: SecretPrefix): string {
  const digits = base62(BigInt(`0x${randomBytes(randomBytesPerSecret).toString("hex")}`), digitsOfSecret);
  return `${prefix}_${digits}${checksum(digits)}`;
}

/**
 * Returns the SHA-256 (hex), the only form in which a secret is stored. Secrets are random, so no slow hash is needed.
 */
export function hashSecret(secret: string): string {
  return createHash("sha256").update(secret).digest("hex");
}

/** Returns the part by which a key is recognized in a list after it was shown once. */
export function visiblePrefix(secret: string): string {
  return secret.slice(0, 8);
}

/**
 * Returns the token of the setup link: the same on every process with the service's secret key, and invalid once the
 * service has its first owner.
 */
export function setupToken(secretKey: Buffer, organizationId: string): string {
  return createHmac("sha256", secretKey).update(`setup:${organizationId}`).digest("base64url");
}

/** Returns the token of the operator API, which only someone with the service's secret key can compute. */
export function operatorToken(secretKey: Buffer): string {
  return createHmac("sha256", secretKey).update("operator").digest("base64url");
}

function checksum(digits: string): string {
  return base62(BigInt(crc32(digits)), digitsOfChecksum);
}

function base62(value: bigint, width: number): string {
  let rest = value;
  let digits = "";
  while (rest > 0n) {
    digits = `${alphabet[Number(rest % 62n)]}${digits}`;
    rest /= 62n;
  }
  return digits.padStart(width, "0");
}

import { createHash } from "node:crypto";

const uuidBytes = 16;
const versionAt = 6;
const variantAt = 8;

/**
 * Returns the ID under which Linear creates something, the same for the same names, so that a retry can't create it
 * twice. In the form of a version 4 UUID, which Linear requires.
 */
export function linearId(...names: readonly string[]): string {
  const bytes = createHash("sha256").update(JSON.stringify(names)).digest().subarray(0, uuidBytes);
  bytes.writeUInt8((bytes.readUInt8(versionAt) & 0x0f) | 0x40, versionAt);
  bytes.writeUInt8((bytes.readUInt8(variantAt) & 0x3f) | 0x80, variantAt);
  return bytes.toString("hex").replace(/^(.{8})(.{4})(.{4})(.{4})/, "$1-$2-$3-$4-");
}

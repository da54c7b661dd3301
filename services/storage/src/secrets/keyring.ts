import { createCipheriv, createDecipheriv, createHmac, randomBytes } from "node:crypto";
import { storageErrors } from "../errors.ts";

/** The row that an envelope is bound to; in another row, it can't be opened. */
export interface SecretPlace {
  readonly scopeId: string;
  readonly name: string;
}

/** Secret keys: seals with the first, opens with any. */
export interface Keyring {
  /** Names the key that seals, and gives nothing of it away. Throws `WHENCE_ERR_SECRET_KEY_INVALID` without a key. */
  currentKeyId(): string;
  /** The envelope as text. Throws `WHENCE_ERR_SECRET_KEY_INVALID` when there is no key. */
  seal(place: SecretPlace, text: string): string;
  /** Null when no key opens it, it was changed, or it is another place's. */
  open(place: SecretPlace, envelope: string): string | null;
}

const keyBytes = 32;
const keyIdBytes = 6;
/** NIST SP 800-38D, 5.2.1.1 and 8.2.2: 96 random bits, for up to 2^32 secrets under one key. */
const nonceBytes = 12;
const tagBytes = 16;
const cipher = "aes-256-gcm";
const version = "v1";

/**
 * AES-256-GCM over credentials. An envelope is `v1.<key id>.<nonce, ciphertext and tag in base64url>`; scope, name, key
 * id and version are authenticated with it. Throws `WHENCE_ERR_SECRET_KEY_INVALID` for a key that is not 32 bytes long.
 */
export function createKeyring(keys: readonly Buffer[]): Keyring {
  const byId = new Map(keys.map((key) => [keyIdOf(key), key]));
  const current = (): [string, Buffer] => {
    for (const entry of byId) return entry;
    throw storageErrors.create("WHENCE_ERR_SECRET_KEY_INVALID", ["there is none"]);
  };
  return {
    currentKeyId: () => current()[0],
    seal(place, text) {
      const [keyId, key] = current();
      const nonce = randomBytes(nonceBytes);
      const sealing = createCipheriv(cipher, key, nonce).setAAD(associatedData(keyId, place));
      const sealed = Buffer.concat([nonce, sealing.update(text, "utf8"), sealing.final(), sealing.getAuthTag()]);
      return `${version}.${keyId}.${sealed.toString("base64url")}`;
    },
    open(place, envelope) {
      const [envelopeVersion, keyId = "", encoded = "", ...more] = envelope.split(".");
      const key = byId.get(keyId);
      const sealed = Buffer.from(encoded, "base64url");
      // Decoding is lenient, so two texts could mean the same bytes: only what we would write ourselves is opened.
      const isOurs = envelopeVersion === version && more.length === 0 && sealed.toString("base64url") === encoded;
      if (!key || !isOurs || sealed.length < nonceBytes + tagBytes) return null;
      return decrypt(key, sealed, associatedData(keyId, place));
    },
  };
}

function decrypt(key: Buffer, sealed: Buffer, associated: Buffer): string | null {
  const opening = createDecipheriv(cipher, key, sealed.subarray(0, nonceBytes), { authTagLength: tagBytes });
  opening.setAAD(associated).setAuthTag(sealed.subarray(-tagBytes));
  const text = Buffer.concat([opening.update(sealed.subarray(nonceBytes, -tagBytes))]);
  try {
    opening.final();
  } catch {
    // The tag does not fit: a wrong key, a changed envelope, or another place's. The caller says which secret it is.
    return null;
  }
  return text.toString("utf8");
}

function keyIdOf(key: Buffer): string {
  if (key.length !== keyBytes) {
    throw storageErrors.create("WHENCE_ERR_SECRET_KEY_INVALID", [`one has ${key.length} bytes`]);
  }
  return createHmac("sha256", key)
    .update("whence: id of a secret key")
    .digest()
    .subarray(0, keyIdBytes)
    .toString("hex");
}

/** JSON, so that no two places are written alike. */
function associatedData(keyId: string, { scopeId, name }: SecretPlace): Buffer {
  return Buffer.from(JSON.stringify([version, keyId, scopeId, name]));
}

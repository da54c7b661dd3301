import { createHash, hkdfSync } from "node:crypto";

/** What the identity library signs and encrypts with, derived from the secret keys. */
export interface SessionSecrets {
  readonly current: string;
  readonly former: readonly string[];
}

/** Derives the library's secrets. Throws a `TypeError` without a secret key. */
export function sessionSecrets(secretKeys: readonly Buffer[]): SessionSecrets {
  const [current, ...former] = secretKeys.map((key) =>
    Buffer.from(hkdfSync("sha256", key, "", "whence session", 32)).toString("base64url"),
  );
  if (current === undefined) throw new TypeError("sessions are signed with a secret key, and none is configured");
  return { current, former };
}

/** Returns the secret with the number by which the library notes what encrypted a value: the same in every process. */
export function versioned(value: string): { readonly version: number; readonly value: string } {
  return { version: createHash("sha256").update(value).digest().readUInt32BE(), value };
}

import { createPrivateKey, createPublicKey, generateKeyPairSync, type KeyObject, sign } from "node:crypto";
import { type WatchOrder, watchLimits, watchOrderDomain } from "@whence/protocol";
import type { Scoped, SecretScope } from "@whence/storage";

/** The name of the secret that holds an organization's private key. */
const secretName = "watch-key";

/** The key pair with which the orders of one organization are signed. */
export interface WatchKey {
  /** `<organization>:<public key>`, Ed25519, raw, in base64url: what a program may be given to trust. */
  readonly text: string;
  /** Returns an order as it is sent: in base64url as JSON, a dot, and its signature in base64url. */
  sign(order: WatchOrder): string;
}

/** Returns the organization's key pair, which is made when it is first asked for. */
export async function watchKeyOf(control: Scoped<SecretScope>, organization: string, now: Date): Promise<WatchKey> {
  const { secrets } = control.scope(organization);
  const key = createPrivateKey(await secrets.ensure(secretName, newPrivateKey, now));
  return {
    text: `${organization}:${rawPublicKey(key)}`,
    sign: (order) => signed(order, key),
  };
}

function newPrivateKey(): string {
  return generateKeyPairSync("ed25519").privateKey.export({ type: "pkcs8", format: "pem" }).toString();
}

function rawPublicKey(key: KeyObject): string {
  const { x = "" } = createPublicKey(key).export({ format: "jwk" });
  return x;
}

function signed(order: WatchOrder, key: KeyObject): string {
  const payload = Buffer.from(JSON.stringify(order)).toString("base64url");
  const signature = sign(null, Buffer.from(watchOrderDomain + payload), key).toString("base64url");
  const text = `${payload}.${signature}`;
  // Ten places with the longest names fit several times.
  if (text.length > watchLimits.watchOrderBytesMax) throw new RangeError(`a watch order has ${text.length} bytes`);
  return text;
}

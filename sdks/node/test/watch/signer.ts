import { generateKeyPairSync, sign } from "node:crypto";
import { type WatchAnswer, type WatchOrder, watchOrderDomain } from "@whence/protocol";

/** A key pair, and how it signs an order for an organization. */
export function signer(organization: string) {
  const { privateKey, publicKey } = generateKeyPairSync("ed25519");
  const key = `${organization}:${publicKey.export({ format: "jwk" }).x}`;
  const signed = (order: WatchOrder, domain = watchOrderDomain): WatchAnswer & { readonly order: string } => {
    const payload = Buffer.from(JSON.stringify(order)).toString("base64url");
    return { key, order: `${payload}.${sign(null, Buffer.from(domain + payload), privateKey).toString("base64url")}` };
  };
  return { key, signed };
}

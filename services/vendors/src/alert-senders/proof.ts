import { createHmac } from "node:crypto";
import { secondMs } from "@whence/protocol";
import type { ReceivedWebhook } from "./alert-sender.ts";
import { headerOf } from "./header.ts";
import { isSameToken } from "./same-token.ts";
import type { SenderInputs } from "./sender-inputs.ts";

/** Tolerance for the sender's clock and for delivery, where the sender signs a time. */
const toleranceSeconds = 300;
const bearerPattern = /^Bearer (\S+)$/i;
/** Seconds since 1970, as senders print them. */
const secondsPattern = /^\d{1,12}$/;

/** Returns whether the webhook has the source's secret as its bearer token (RFC 6750). Compares in constant time. */
export function hasBearerToken(webhook: ReceivedWebhook, { secret }: SenderInputs): boolean {
  const token = bearerPattern.exec(headerOf(webhook, "authorization") ?? "")?.[1];
  return token !== undefined && Boolean(secret) && isSameToken(token, secret ?? "");
}

/** An HMAC of some bytes, with a secret that only the sender and the service know. */
export interface Hmac {
  readonly algorithm: "sha1" | "sha256";
  readonly key: string | Buffer;
  readonly signed: readonly (string | Buffer)[];
  readonly encoding: "hex" | "base64";
}

/** Returns whether one of the given signatures is the HMAC. False for an empty key. Compares in constant time. */
export function isSignedBy(given: readonly string[], { algorithm, key, signed, encoding }: Hmac): boolean {
  if (key.length === 0) return false;
  const hmac = createHmac(algorithm, key);
  for (const part of signed) hmac.update(part);
  const expected = hmac.digest(encoding);
  return given.some((signature) => isSameToken(signature, expected));
}

/** Returns whether a header is the HMAC of the body, in hexadecimal. */
export function hasSignedBody(
  webhook: ReceivedWebhook,
  { secret }: SenderInputs,
  { header, algorithm }: { readonly header: string; readonly algorithm: Hmac["algorithm"] },
): boolean {
  const given = headerOf(webhook, header);
  return (
    given !== null && isSignedBy([given], { algorithm, key: secret ?? "", signed: [webhook.body], encoding: "hex" })
  );
}

/** Returns whether a signed time, in seconds since 1970, is within five minutes of now. */
export function isRecent(seconds: string, nowMs: number): boolean {
  const nowSeconds = Math.floor(nowMs / secondMs);
  return secondsPattern.test(seconds) && Math.abs(nowSeconds - Number(seconds)) <= toleranceSeconds;
}

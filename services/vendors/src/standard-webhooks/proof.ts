import type { ReceivedWebhook } from "../alert-senders/alert-sender.ts";
import { headerOf } from "../alert-senders/header.ts";
import { isRecent, isSignedBy } from "../alert-senders/proof.ts";
import { webhookKey } from "./signature.ts";

/** `v1,K5oZ…= v1a,…`: one signature for each secret during a rotation. */
const signaturesPattern = /^v\d[a-z]?,[^\s,]+(?: v\d[a-z]?,[^\s,]+)*$/;
const version = "v1,";

/**
 * Returns whether a webhook is signed according to Standard Webhooks 1.0 (https://www.standardwebhooks.com), within
 * five minutes of now.
 */
export function hasStandardSignature(webhook: ReceivedWebhook, secret: string, nowMs: number): boolean {
  const [id, seconds] = [headerOf(webhook, "webhook-id"), headerOf(webhook, "webhook-timestamp")];
  const header = headerOf(webhook, "webhook-signature") ?? "";
  if (id === null || seconds === null || !isRecent(seconds, nowMs) || !signaturesPattern.test(header)) return false;
  const given = header.split(" ").filter((signature) => signature.startsWith(version));
  return isSignedBy(
    given.map((signature) => signature.slice(version.length)),
    {
      algorithm: "sha256",
      key: webhookKey(secret),
      signed: [`${id}.${seconds}.`, webhook.body],
      encoding: "base64",
    },
  );
}

import { createHash } from "node:crypto";
import type { z } from "zod";
import { parseBoundedJson } from "../http/bounded-json.ts";
import type { ReceivedWebhook } from "./alert-sender.ts";

/** An ID from a sender: visible ASCII characters. */
const idPattern = /^[!-~]{1,200}$/;

/** Returns the SHA-256 of the body, in hexadecimal. */
export function hashOfBody({ body }: ReceivedWebhook): string {
  return createHash("sha256").update(body).digest("hex");
}

/** Returns the sender's ID, or the body's hash without one. */
export function idOrHash(id: string | null | undefined, webhook: ReceivedWebhook): string {
  return id && idPattern.test(id) ? id : hashOfBody(webhook);
}

/** Returns the ID in a body, or the body's hash without one. */
export function idInBody(webhook: ReceivedWebhook, idSchema: z.ZodType<string>): string {
  return idOrHash(idSchema.safeParse(parseBoundedJson(webhook.body.toString("utf8"))).data, webhook);
}

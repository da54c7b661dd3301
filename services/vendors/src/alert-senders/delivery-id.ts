import { createHash } from "node:crypto";
import type { z } from "zod";
import { parseBoundedJson } from "../http/bounded-json.ts";
import type { ReceivedWebhook } from "./alert-sender.ts";

/** An id that a sender made: visible characters of ASCII. */
const idPattern = /^[!-~]{1,200}$/;

/** SHA-256 of the body, in hexadecimal. */
export function hashOfBody({ body }: ReceivedWebhook): string {
  return createHash("sha256").update(body).digest("hex");
}

/** The id that the sender gave, or the body's hash when it gave none. */
export function idOrHash(id: string | null | undefined, webhook: ReceivedWebhook): string {
  return id && idPattern.test(id) ? id : hashOfBody(webhook);
}

/** The id in a body, or the body's hash when there is none. */
export function idInBody(webhook: ReceivedWebhook, idSchema: z.ZodType<string>): string {
  return idOrHash(idSchema.safeParse(parseBoundedJson(webhook.body.toString("utf8"))).data, webhook);
}

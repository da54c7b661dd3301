import { createHmac } from "node:crypto";
import { ZodError } from "zod";
import type { AlertSender, ReceivedWebhook } from "../../src/alert-senders/alert-sender.ts";
import type { AnnouncedAlert, Announcement } from "../../src/alert-senders/announcement.ts";
import type { SenderInputs } from "../../src/alert-senders/sender-inputs.ts";

export const now = Date.parse("2026-03-01T12:00:00.000Z");
export const nowSeconds = now / 1_000;

/** A source that fetches nothing to verify. */
export const offline = {
  now,
  fetchText: (): Promise<string> => Promise.reject(new Error("a signature needed the network")),
};

export function received(body: unknown, headers: ReceivedWebhook["headers"] = {}): ReceivedWebhook {
  return { headers, body: Buffer.from(typeof body === "string" ? body : JSON.stringify(body)) };
}

/** The same webhook with one bit of its body changed. */
export function tampered({ headers, body }: ReceivedWebhook, at = 0): ReceivedWebhook {
  const changed = Buffer.from(body);
  changed.writeUInt8(changed.readUInt8(at) ^ 1, at);
  return { headers, body: changed };
}

/** The same webhook with one bit of a header's last character changed. */
export function withForged({ headers, body }: ReceivedWebhook, name: string): ReceivedWebhook {
  const value = String(headers[name]);
  const last = String.fromCharCode(value.charCodeAt(value.length - 1) ^ 1);
  return { headers: { ...headers, [name]: value.slice(0, -1) + last }, body };
}

export function hexHmac(algorithm: string, secret: string, signed: string | Buffer): string {
  return createHmac(algorithm, secret).update(signed).digest("hex");
}

/** What a source reads in a body, as JSON gives it. */
export function read(
  source: AlertSender,
  body: unknown,
  webhook = received(body),
  inputs: SenderInputs = {},
): readonly Announcement[] {
  return source.read(JSON.parse(JSON.stringify(body)), webhook, inputs);
}

export function alertsIn(source: AlertSender, body: unknown): AnnouncedAlert[] {
  return read(source, body).flatMap((announcement) => (announcement.kind === "alert" ? [announcement.alert] : []));
}

/** Whether a source reads a body, or refuses it as not documented; any other error is thrown. */
export function readsOrRefuses(source: AlertSender, body: unknown, webhook: ReceivedWebhook): boolean {
  try {
    source.read(body, webhook, { bot: "acme-whence", bot_id: "4711" });
    return true;
  } catch (error) {
    if (error instanceof ZodError) return true;
    throw error;
  }
}

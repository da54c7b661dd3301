import { createHmac } from "node:crypto";
import { type Notification, notificationSchema } from "@whence/protocol";
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { addressGuard } from "../../src/http/address-guard.ts";
import type { Destination } from "../../src/notifications/channel.ts";
import { webhookChannel } from "../../src/standard-webhooks/notification-channel.ts";
import { mintWebhookSecret } from "../../src/standard-webhooks/signature.ts";
import { describeChannel } from "../notifications/channel.contract.ts";
import { type HttpsReceiver, startHttpsReceiver } from "../notifications/https-receiver.ts";
import { notification, ruleOf } from "../notifications/samples.ts";

const now = Date.parse("2026-03-01T12:00:00.000Z");
const unlimited = new AbortController().signal;
const secret = mintWebhookSecret();
const here = addressGuard(["127.0.0.0/8"]);

let receiver: HttpsReceiver;
beforeAll(async () => {
  receiver = await startHttpsReceiver();
});
beforeEach(() => {
  receiver.answer = (_request, response) => void response.writeHead(204).end();
});
afterAll(async () => {
  await receiver.close();
});

const open = (mayReach = here) => webhookChannel({ clock: () => now, mayReach });
const to = (webhook_url: string): Destination => ({ rule: ruleOf({ webhook_url }), recipient: "", credential: secret });
const url = (path = "/hook") => `https://127.0.0.1:${receiver.port}${path}`;
const send = (destination = to(url()), mayReach = here, message: Notification = notification()) =>
  open(mayReach).send(message, destination, unlimited);

describeChannel("webhook", async () => {
  const before = receiver.received.length;
  return {
    ...{ channel: open(), to: to(url()) },
    taken: () => receiver.received.slice(before).map(({ headers, body }) => `${headers["webhook-id"]} ${body}`),
    refuse(how) {
      const { promise, resolve } = Promise.withResolvers<void>();
      receiver.answer = (_request, response) => {
        if (how !== "in silence") response.writeHead(how === "for now" ? 503 : 410).end();
        resolve();
      };
      return promise;
    },
  };
});

describe("a webhook", () => {
  it("is posted the message as JSON, signed over its id, the time and the body", async () => {
    await send();
    const request = receiver.received.at(-1);
    expect(request).toMatchObject({ method: "POST", path: "/hook", headers: { "content-type": "application/json" } });
    const body = request?.body ?? "";
    expect(notificationSchema.parse(JSON.parse(body))).toEqual(notification());
    const key = Buffer.from(secret.replace("whsec_", ""), "base64");
    const signature = createHmac("sha256", key).update(`ntf_1.1772366400.${body}`).digest("base64");
    expect(request?.headers).toMatchObject({
      ...{ "webhook-id": "ntf_1", "webhook-timestamp": "1772366400", "webhook-signature": `v1,${signature}` },
    });
  });

  it("that responds with a redirect isn't followed", async () => {
    receiver.answer = (_request, response) => void response.writeHead(302, { location: url("/elsewhere") }).end();
    const before = receiver.received.length;
    await expect(send()).rejects.toMatchObject({ isFinal: true, message: expect.stringContaining("redirect") });
    expect(receiver.received.slice(before).map(({ path }) => path)).toEqual(["/hook"]);
  });

  it("may say when to retry", async () => {
    receiver.answer = (_request, response) => void response.writeHead(429, { "retry-after": "7" }).end("later");
    await expect(send()).rejects.toMatchObject({
      message: "the webhook answered 429",
      isFinal: false,
      retryAfter: "7",
    });
  });

  it("whose response never ends is judged by its status", async () => {
    receiver.answer = (_request, response) => {
      response.writeHead(200);
      const filling = setInterval(() => response.write(Buffer.alloc(16_384)), 1);
      response.once("close", () => clearInterval(filling));
    };
    await expect(send()).resolves.toBeNull();
  });

  it("whose certificate isn't trusted gets nothing", async () => {
    const before = receiver.received.length;
    await expect(send(to(`https://127.0.0.2:${receiver.port}/hook`))).rejects.toThrow();
    expect(receiver.received).toHaveLength(before);
  });

  it("without a secret gets nothing", async () => {
    const other = { ...to(url()), credential: null };
    await expect(send(other)).rejects.toMatchObject({ isFinal: true });
  });
});

describe("a webhook on an address that isn't public", () => {
  it.each([
    "https://127.0.0.1:PORT/hook",
    "https://localhost:PORT/hook",
    "https://0x7f.1:PORT/hook",
    "https://2130706433:PORT/hook",
    "https://[::1]:PORT/hook",
    "https://[::ffff:127.0.0.1]:PORT/hook",
    "https://0.0.0.0:PORT/hook",
  ])("isn't connected to: %s", async (address) => {
    const before = receiver.received.length;
    const refused = send(to(address.replace("PORT", String(receiver.port))), addressGuard([]));
    await expect(refused).rejects.toMatchObject({ isFinal: true, message: expect.stringContaining("public address") });
    expect(receiver.received).toHaveLength(before);
  });

  it("is reached, also by name, when the operator allows its network", async () => {
    await expect(send(to(`https://localhost:${receiver.port}/hook`))).resolves.toBeNull();
  });
});

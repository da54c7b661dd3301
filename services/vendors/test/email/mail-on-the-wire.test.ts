import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { emailChannel } from "../../src/email/notification-channel.ts";
import { smtpMailer } from "../../src/email/smtp-mailer.ts";
import type { Channel } from "../../src/notifications/channel.ts";
import { notification, notifiedIncident, ruleOf } from "../notifications/samples.ts";
import { type SmtpServer, startSmtpServer } from "./smtp-server.ts";

const to = { rule: ruleOf(), recipient: "oncall@example.com", credential: null };
const unlimited = new AbortController().signal;

let server: SmtpServer;
let channel: Channel;
beforeAll(async () => {
  server = await startSmtpServer();
  const mailer = smtpMailer({ url: server.url, from: "whence@example.com" });
  channel = emailChannel({ mailer, hasMailServer: true, appUrl: "https://whence.example.com" });
});
afterAll(() => server.close());

const headersOf = (mail: string): string[] =>
  (mail.split("\r\n\r\n", 1)[0] ?? "").replaceAll(/\r\n[ \t]+/g, " ").split("\r\n");

describe("a mail on the wire", () => {
  it("has the headers that thread it, identify a duplicate, and prevent automatic replies", async () => {
    await expect(channel.send(notification(), to, unlimited)).resolves.toBeNull();
    expect(headersOf(server.taken.at(-1) ?? "")).toEqual(
      expect.arrayContaining([
        ...["From: whence@example.com", "To: oncall@example.com", "Subject: [High] TypeError: x is undefined"],
        ...["Message-ID: <ntf_1@whence.example.com>", "References: <inc_1@whence.example.com>"],
        ...["Auto-Submitted: auto-generated", "Content-Type: text/plain; charset=utf-8"],
      ]),
    );
  });

  it("has no header or recipient injected by a title or a service", async () => {
    await channel.send(notification(), to, unlimited);
    const usual = headersOf(server.taken.at(-1) ?? "").map((line) => line.split(":", 1)[0]);
    const title = "boom\r\nBcc: everybody@example.com\r\n\r\n.\r\nMAIL FROM:<a@example.com>";
    const incident = notifiedIncident({ title, service: "cart\r\nX-Other: 1" });
    const before = server.taken.length;
    await channel.send(notification({ incident }), to, unlimited);
    expect(server.taken).toHaveLength(before + 1);
    expect(headersOf(server.taken.at(-1) ?? "").map((line) => line.split(":", 1)[0])).toEqual(usual);
  });

  it("is abandoned when its recipient is refused permanently, and not when refused temporarily", async () => {
    server.answerRecipient = "550 no such user";
    await expect(channel.send(notification(), to, unlimited)).rejects.toMatchObject({
      ...{ isFinal: true, message: expect.stringContaining("550 no such user") },
    });
    server.answerRecipient = "451 come back later";
    await expect(channel.send(notification(), to, unlimited)).rejects.not.toMatchObject({ isFinal: true });
  });
});

import { describe, expect, it } from "vitest";
import type { Mail, Mailer } from "../../src/email/mailer.ts";
import { emailChannel } from "../../src/email/notification-channel.ts";
import { type ChannelUnderTest, describeChannel } from "../notifications/channel.contract.ts";
import { notification, notifiedIncident, ruleOf } from "../notifications/samples.ts";

const appUrl = "https://whence.example.com";
const to = { rule: ruleOf(), recipient: "oncall@example.com", credential: null };
const unlimited = new AbortController().signal;

/** As nodemailer reports a mail server's reply. */
function smtpError(code: string, responseCode: number): Error {
  return Object.assign(new Error(`${responseCode} no`), { code, responseCode });
}

function open(): ChannelUnderTest & { readonly mails: readonly Mail[] } {
  const mails: Mail[] = [];
  let send: Mailer["send"] = async (mail) => void mails.push(mail);
  const refusals = { "for now": smtpError("EENVELOPE", 450), "for good": smtpError("EENVELOPE", 550) };
  return {
    ...{ channel: emailChannel({ mailer: { send: (mail) => send(mail) }, hasMailServer: true, appUrl }), to, mails },
    taken: () => mails.map((mail) => JSON.stringify(mail)),
    refuse(how) {
      const { promise, resolve } = Promise.withResolvers<void>();
      send = () => {
        resolve();
        return how === "in silence" ? new Promise(() => undefined) : Promise.reject(refusals[how]);
      };
      return promise;
    },
  };
}

describeChannel("email", async () => open());

const mailOf = async (changes: Parameters<typeof notification>[0] = {}): Promise<Mail> => {
  const { channel, mails } = open();
  await channel.send(notification(changes), to, unlimited);
  const [mail] = mails;
  if (!mail) throw new Error("no mail was sent");
  return mail;
};

describe("a mail about an incident", () => {
  it("contains the cause before the facts, and a link to the rest", async () => {
    expect(await mailOf()).toEqual({
      ...{ to: "oncall@example.com", messageId: "<ntf_1@whence.example.com>" },
      ...{ references: "<inc_1@whence.example.com>", subject: "[High] TypeError: x is undefined" },
      text: `TypeError: x is undefined

Root cause: The cart has no total.

Confidence: 78%. one frame and its source

Fix now: Check the total
Return early where it is missing.

Severity:    high
Service:     checkout
Environment: PROD
Since:       2026-03-01 11:58:00 UTC
Reason:      the failure was never seen before

https://whence.example.com/incidents/inc_1

You're receiving this because of the notification rule "On call": https://whence.example.com/settings/notifications
`,
    });
  });

  it("says that the investigation is running, that the failure is back, or that the investigation failed", async () => {
    const bare = { root_cause: null, confidence: null, first_solution: null } as const;
    const opened = await mailOf({ type: "opened", incident: notifiedIncident({ ...bare, status: "investigating" }) });
    expect(opened.text).toContain("The investigation is running.");
    expect(opened.text).not.toContain("Root cause");
    expect((await mailOf({ type: "returned" })).subject).toBe("[High] Back again: TypeError: x is undefined");
    const failure = { code: "WHENCE_ERR_INVESTIGATION_FAILED", message: "all 5 attempts to investigate failed" };
    const failed = await mailOf({ type: "failed", incident: notifiedIncident({ ...bare, status: "failed", failure }) });
    expect(failed.subject).toContain("Investigation failed: ");
    expect(failed.text).toContain("\n\nAll 5 attempts to investigate failed\n\n");
  });

  it("says when it is the last one of the hour", async () => {
    const { text } = await mailOf({ held_back_until: "2026-03-01T13:00:00.000Z" });
    expect(text).toContain("Incidents until 2026-03-01 13:00:00 UTC are summarized in one mail after that.");
  });

  it("has a one-line subject whatever a title contains", async () => {
    const title = `boom\r\nBcc: everybody@example.com\u202egnp ${"x".repeat(500)}`;
    const { subject } = await mailOf({ incident: notifiedIncident({ title }) });
    expect(subject).toMatch(/^\[High\] boom Bcc: everybody@example\.com gnp x+…$/);
    expect(subject).toHaveLength(200);
  });
});

describe("a summary mail", () => {
  const first = [1, 2].map((number) => ({
    ...{ id: `inc_${number}`, title: `boom ${number}`, severity: "low", service: number === 1 ? "checkout" : null },
    ...{ env: "PROD", url: `https://whence.example.com/incidents/inc_${number}` },
  }));

  it("names the first incidents and counts the rest", async () => {
    const held_back = { incidents: 39, first: first.map((one) => ({ ...one, severity: "low" as const })) };
    const { subject, text, references } = await mailOf({ type: "summary", incident: null, held_back });
    expect(subject).toBe("39 incidents held back");
    expect(text).toContain("[Low] boom 1 (checkout)\nhttps://whence.example.com/incidents/inc_1\n\n[Low] boom 2\n");
    expect(text).toContain("… and 37 more");
    expect(references).toBeUndefined();
  });
});

describe("mail without a mail server", () => {
  it("counts as sent, and says where it is", async () => {
    const channel = emailChannel({ mailer: { send: async () => undefined }, hasMailServer: false, appUrl });
    const test = notification({ type: "test", incident: null });
    expect(await channel.send(test, to, unlimited)).toContain("written to the service's log");
  });
});

describe("a mail server that can't be used", () => {
  it.each([
    ["EAUTH", 535],
    ["EENVELOPE", 421],
    ["ECONNECTION", 554],
  ])("may recover: %s %i is retried", async (code, responseCode) => {
    const mailer = { send: () => Promise.reject(smtpError(code, responseCode)) };
    const sent = emailChannel({ mailer, hasMailServer: true, appUrl }).send(notification(), to, unlimited);
    await expect(sent).rejects.not.toMatchObject({ isFinal: true });
  });
});

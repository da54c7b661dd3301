import { createRequire } from "node:module";
import { parseText } from "@whence/engine";
import fc from "fast-check";
import { beforeAll, describe, expect, it } from "vitest";
import { ZodError } from "zod";
import { snsSource } from "../../src/cloudwatch/alert-sender.ts";
import { alertsIn, read, received, tampered } from "../alert-senders/received.ts";
import { startHttpsReceiver } from "../notifications/https-receiver.ts";
import { alarm, certificateUrl, confirmation, notification, topicArn } from "./samples.ts";
import { makeSigningCertificate, type SigningCertificate } from "./signing-certificate.ts";

type Message = Readonly<Record<string, string | null>>;
type Validator = new (host: RegExp) => { validate(message: object, done: (error: Error | null) => void): void };

const hour = 3_600_000;
let amazon: SigningCertificate;
let now: number;
beforeAll(async () => {
  amazon = await makeSigningCertificate();
  now = Date.now();
});

/** The message, signed as AWS documents it, of one minute ago. */
function signed(message: Message, version = "2", ageMs = 60_000): Message {
  const sent: Message = { ...message, SignatureVersion: version, Timestamp: new Date(now - ageMs).toISOString() };
  const names = ["Message", "MessageId", "Subject", "SubscribeURL", "Timestamp", "Token", "TopicArn", "Type"];
  const fields = names.flatMap((name) => (typeof sent[name] === "string" ? `${name}\n${sent[name]}\n` : []));
  return { ...sent, Signature: amazon.sign(version, fields.join("")) };
}

function verifier(answer = (): Promise<string> => Promise.resolve(amazon.certificate)) {
  const source = snsSource();
  const fetched: string[] = [];
  const verify = (message: object, at = now, inputs: Record<string, string> = { topic_arn: topicArn }) =>
    source.verify(received(message), inputs, {
      now: at,
      fetchText: (url) => {
        fetched.push(url.href);
        return answer();
      },
    });
  return { source, fetched, verify };
}

describe("a message from SNS", () => {
  it.each(["1", "2"])("is accepted with a signature of version %s", async (version) => {
    const { verify } = verifier();
    expect(await verify(signed(notification, version))).toBe(true);
    expect(await verify(signed({ ...notification, Subject: null }, version))).toBe(true);
    expect(await verify(signed(confirmation, version))).toBe(true);
    expect(await verify(signed({ ...confirmation, Type: "UnsubscribeConfirmation" }, version))).toBe(true);
  });

  it.each(["Message", "MessageId", "Subject", "Timestamp", "Type", "Signature", "SignatureVersion"])(
    "is refused after a change of its %s",
    async (name) => {
      const message = signed(notification);
      const changes: Message = { Timestamp: new Date(now).toISOString(), Type: "Other", SignatureVersion: "1" };
      const changed = changes[name] ?? `~${String(message[name]).slice(1)}`;
      expect(await verifier().verify({ ...message, [name]: changed })).toBe(false);
    },
  );

  it("is rejected when any byte of its text changed", async () => {
    const { source, verify } = verifier();
    const webhook = received(signed(notification));
    const at = webhook.body.indexOf("Threshold Crossed");
    const context = { now, fetchText: () => Promise.resolve(amazon.certificate) };
    expect(await verify(signed(notification))).toBe(true);
    expect(await source.verify(tampered(webhook, at), { topic_arn: topicArn }, context)).toBe(false);
  });

  it("is rejected without a signature, and with an unknown version", async () => {
    const { Signature: _, ...unsigned } = signed(notification);
    expect(await verifier().verify(unsigned)).toBe(false);
    expect(await verifier().verify({ ...signed(notification), SignatureVersion: "3" })).toBe(false);
  });

  it("is rejected from another topic, and by a source without one", async () => {
    const other = signed({ ...notification, TopicArn: `${topicArn}-2` });
    const { verify } = verifier();
    expect(await verify(other)).toBe(false);
    expect(await verify(signed(notification), now, {})).toBe(false);
  });

  it("is accepted up to an hour after it was sent and five minutes before, and rejected beyond", async () => {
    const { verify } = verifier();
    for (const [ageMs, accepted] of [
      ...([
        [hour, true],
        [hour + 1, false],
        [-300_000, true],
        [-300_001, false],
      ] as const),
    ])
      expect(await verify(signed(notification, "2", ageMs))).toBe(accepted);
  });

  it.each([
    "http://sns.eu-west-1.amazonaws.com/SimpleNotificationService-0.pem",
    "https://sns.eu-west-1.amazonaws.com.example.com/SimpleNotificationService-0.pem",
    "https://example.com/sns.eu-west-1.amazonaws.com/SimpleNotificationService-0.pem",
    "https://sns.eu-west-1.amazonaws.com@example.com/a.pem",
    "https://sns.eu-west-1.amazonaws.com:8443/a.pem",
    "https://sns.eu-west-1.amazonaws.com/?Action=Publish&Message=a.pem",
    "https://sns.eu-west-1.amazonaws.com/a.pem?b=c",
    "https://sns.eu-west-1.amazonaws.com/a.txt",
    "https://evil.s3.eu-west-1.amazonaws.com/a.pem",
    "https://sns.amazonaws.com/a.pem",
    "https://sns.s3-eu-west-1.amazonaws.com/a.pem",
  ])("is rejected without a request when its certificate is at %s", async (SigningCertURL) => {
    const { verify, fetched } = verifier();
    expect(await verify({ ...signed(notification), SigningCertURL })).toBe(false);
    expect(fetched).toEqual([]);
  });

  it("is accepted in China", async () => {
    const SigningCertURL = certificateUrl.replace("eu-west-1.amazonaws.com", "cn-north-1.amazonaws.com.cn");
    expect(await verifier().verify({ ...signed(notification), SigningCertURL })).toBe(true);
  });

  it("is rejected when the certificate is another's, invalid, or not valid now", async () => {
    const { certificate } = await makeSigningCertificate();
    expect(await verifier(() => Promise.resolve(certificate)).verify(signed(notification))).toBe(false);
    expect(await verifier(() => Promise.resolve("no certificate")).verify(signed(notification))).toBe(false);
    const old = { ...signed(notification, "2", -3 * 24 * hour) };
    expect(await verifier().verify(old, now + 3 * 24 * hour)).toBe(false);
  });

  it("is neither accepted nor rejected while the certificate can't be fetched", async () => {
    const unreachable = verifier(() => Promise.reject(new Error("unreachable")));
    await expect(unreachable.verify(signed(notification))).rejects.toThrow("unreachable");
  });
});

describe("the certificates of SNS", () => {
  it("are fetched once, and again after 32 others", async () => {
    const { verify, fetched } = verifier();
    const at = (index: number): Message => ({
      ...signed(notification),
      SigningCertURL: `https://sns.eu-west-1.amazonaws.com/${index}.pem`,
    });
    for (const index of [0, 0, ...Array.from({ length: 31 }, (_, other) => other + 1), 0]) await verify(at(index));
    expect(fetched).toHaveLength(32);
    await verify(at(32));
    await verify(at(0));
    expect(fetched).toHaveLength(34);
  });

  it("aren't cached when they can't be read", async () => {
    const { verify, fetched } = verifier(() => Promise.resolve(""));
    await verify(signed(notification));
    await verify(signed(notification));
    expect(fetched).toEqual([certificateUrl, certificateUrl]);
  });
});

describe("AWS's own validator", () => {
  it("judges messages as the source does", async () => {
    const require = createRequire(import.meta.url);
    const MessageValidator: Validator = require("sns-validator");
    const receiver = await startHttpsReceiver();
    receiver.answer = (_request, response) => void response.end(amazon.certificate);
    const ours = `https://127.0.0.1:${receiver.port}/certificate.pem`;
    const validator = new MessageValidator(/^127\.0\.0\.1:\d+$/);
    // The address of the certificate isn't signed.
    const theirVerdict = (message: object) =>
      new Promise<boolean>((resolve) =>
        validator.validate({ ...message, SigningCertURL: ours }, (error) => resolve(error === null)),
      );
    const { verify } = verifier();
    const field = fc.constantFrom("nothing", "Message", "MessageId", "Signature", "SubscribeURL", "Token");
    const kinds = fc.constantFrom(notification, confirmation);
    try {
      await fc.assert(
        fc.asyncProperty(
          kinds,
          fc.constantFrom("1", "2"),
          fc.string({ unit: "grapheme" }),
          field,
          async (kind, version, text, name) => {
            const message = signed({ ...kind, Message: text }, version);
            const sent = name in message ? { ...message, [name]: `${message[name]}A` } : message;
            expect(await verify(sent)).toBe(await theirVerdict(sent));
          },
        ),
        { numRuns: 60 },
      );
    } finally {
      await receiver.close();
    }
  });
});

describe("the announcement of an SNS message", () => {
  const source = snsSource();
  const saying = (message: unknown, Subject: string | null = null) => ({
    ...notification,
    ...{ Signature: "c2lnbmF0dXJl", Subject, Message: typeof message === "string" ? message : JSON.stringify(message) },
  });

  it("is an alarm of CloudWatch", () => {
    const [alert] = alertsIn(source, saying(alarm));
    expect(alert).toMatchObject({
      key: "arn:aws:cloudwatch:eu-west-1:123456789012:alarm:checkout-5xx",
      state: "firing",
      title: "checkout-5xx: Checkout answers with errors",
      ...{ service: "checkout", env: "production", severity: null },
      at: "2026-03-01T11:58:03.157Z",
      url: "https://eu-west-1.console.aws.amazon.com/cloudwatch/home?region=eu-west-1#alarmsV2:alarm/checkout-5xx",
    });
    expect(parseText(alert?.text ?? "").alert).toMatchObject({
      ...{ system: "Amazon CloudWatch", name: "checkout-5xx", status: "ALARM", startedAt: "2026-03-01T11:58:03.157Z" },
    });
  });

  it("is a resolution for OK, and nothing for an alarm without data", () => {
    expect(alertsIn(source, saying({ ...alarm, NewStateValue: "OK" }))).toMatchObject([
      { key: alarm.AlarmArn, state: "resolved" },
    ]);
    expect(read(source, saying({ ...alarm, NewStateValue: "INSUFFICIENT_DATA" }))).toEqual([]);
  });

  it("is also made for an alarm on several metrics or on other alarms", () => {
    const { Trigger, ...composite } = alarm;
    expect(alertsIn(source, saying({ ...composite, AlarmRule: 'ALARM("a")', AlarmDescription: null }))).toMatchObject([
      { title: "checkout-5xx", service: null, env: null },
    ]);
    const several = { ...alarm, Trigger: { Metrics: [{ Id: "m1" }], Period: 60 } };
    expect(alertsIn(source, saying(several))).toMatchObject([{ state: "firing", service: null }]);
  });

  it("is the text for anything else, with its subject as the title", () => {
    expect(alertsIn(source, saying("\nThe queue is full\nsince 11:00", "Queue"))).toMatchObject([
      {
        ...{ key: notification.MessageId, state: "firing", title: "Queue" },
        ...{ text: "Queue\n\nThe queue is full\nsince 11:00", at: "2026-03-01T11:58:04.157Z" },
      },
    ]);
    expect(alertsIn(source, saying("\nThe queue is full\nsince 11:00"))[0]?.title).toBe("The queue is full");
    expect(alertsIn(source, saying({ budget: "exceeded" }))[0]?.title).toBe('{"budget":"exceeded"}');
    expect(alertsIn(source, saying(""))[0]?.title).toBe("Message from SNS");
  });

  it("is the URL to open for a new subscription, and nothing for one that ended", () => {
    const sent = { ...confirmation, Signature: "c2lnbmF0dXJl" };
    expect(read(source, sent)).toEqual([{ kind: "confirm", url: confirmation.SubscribeURL }]);
    expect(read(source, { ...sent, Type: "UnsubscribeConfirmation" })).toEqual([]);
  });

  it.each([
    ...[{}, [[]], null, { Type: "Other" }, saying({ ...alarm, StateChangeTime: "today" })],
    ...[
      saying({ ...alarm, NewStateValue: "BROKEN" }),
      { ...saying(alarm), SigningCertURL: "https://example.com/a.pem" },
    ],
    { ...confirmation, Signature: "", SubscribeURL: "https://example.com/?Action=ConfirmSubscription" },
  ])("isn't made from a message that isn't as documented: %#", (body) => {
    expect(() => read(source, body)).toThrow(ZodError);
  });

  it("has the ID of its message", () => {
    expect(source.deliveryId(received(saying(alarm)))).toBe(notification.MessageId);
  });
});

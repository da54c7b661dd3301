import { createVerify, X509Certificate } from "node:crypto";
import { hourMs } from "@whence/protocol";
import { z } from "zod";
import type { AlertSender, VerifyingContext } from "../alert-senders/alert-sender.ts";
import type { AnnouncedAlert, Announcement } from "../alert-senders/announcement.ts";
import { idInBody } from "../alert-senders/delivery-id.ts";
import { numbered } from "../alert-senders/setup-steps.ts";
import { parseBoundedJson } from "../http/bounded-json.ts";
import { identifier, optionalText, time } from "../text/fields.ts";
import { textFrom, titleFrom } from "../text/plain-text.ts";
import { alertsOfAlarm } from "./alarm.ts";

/** SNS retries for less than an hour by default, so an older message is someone else's copy. */
const ageMaxMs = hourMs;
const aheadMaxMs = 300_000;
/** AWS has one signing certificate per region at a time. */
const certificatesMax = 32;
const firstLine = /\S.*/;
/** SNS in a region. `sns.s3-eu-west-1.amazonaws.com` would be a bucket, which anyone may own. */
const origin = String.raw`^https://sns\.[a-z]{2,4}(?:-[a-z]{1,20}){1,3}-\d{1,2}\.amazonaws\.com(?:\.cn)?/`;
/** No port, user, or query: a URL at which SNS itself serves a certificate. */
const certificateUrl = new RegExp(String.raw`${origin}[\w-]{1,200}\.pem$`);
const confirmationUrl = new RegExp(String.raw`${origin}\?[!-~]{1,4000}$`);

/** https://docs.aws.amazon.com/sns/latest/dg/sns-message-and-json-formats.html */
const shared = {
  MessageId: identifier,
  TopicArn: identifier,
  Message: z.string(),
  Timestamp: z.iso.datetime(),
  SignatureVersion: z.enum(["1", "2"]),
  Signature: z.string(),
  SigningCertURL: z.string().regex(certificateUrl),
};
const subscription = { ...shared, Token: z.string(), SubscribeURL: z.string().regex(confirmationUrl) };
const notificationSchema = z.object({ Type: z.literal("Notification"), ...shared, Subject: optionalText });
const messageSchema = z.discriminatedUnion("Type", [
  notificationSchema,
  z.object({ Type: z.literal("SubscriptionConfirmation"), ...subscription }),
  z.object({ Type: z.literal("UnsubscribeConfirmation"), ...subscription }),
]);
type Message = z.infer<typeof messageSchema>;

const topicInput = {
  name: "topic_arn",
  label: "Topic ARN",
  is_secret: false,
  is_made: false,
  example: "arn:aws:sns:us-east-1:123456789012:alarms",
};

const messageIdSchema = messageSchema.transform(({ MessageId }) => MessageId);

/**
 * AWS SNS, with CloudWatch alarms or any other text. `verify` rejects when the certificate can't be fetched, which says
 * nothing about the message; SNS sends it again. Certificates are cached in memory, by URL.
 */
export function snsSource(): AlertSender {
  const certificates = new Map<string, X509Certificate>();
  return {
    kind: "sns",
    label: "AWS CloudWatch through SNS",
    inputs: [topicInput],
    setup: () =>
      numbered(
        "In Amazon SNS, subscribe this address to the topic with the protocol **HTTPS**, without raw message delivery.",
        "Whence confirms the subscription within seconds.",
        "Make the topic the notification of your CloudWatch alarms, for the states In alarm and OK.",
      ),
    async verify({ body }, inputs, context) {
      const { data: message } = messageSchema.safeParse(parseBoundedJson(body.toString("utf8")));
      if (!message || message.TopicArn !== inputs.topic_arn) return false;
      const ageMs = context.now - Date.parse(message.Timestamp);
      if (ageMs > ageMaxMs || ageMs < -aheadMaxMs) return false;
      const certificate = await certificateAt(message.SigningCertURL, certificates, context);
      return certificate !== null && isSigned(message, certificate);
    },
    deliveryId: (webhook) => idInBody(webhook, messageIdSchema),
    read: (body) => announcementsOf(messageSchema.parse(body)),
  };
}

/** Returns a currently valid certificate, from the cache or fetched; null for anything else. */
async function certificateAt(
  address: string,
  kept: Map<string, X509Certificate>,
  { now, fetchText }: VerifyingContext,
): Promise<X509Certificate | null> {
  const certificate = kept.get(address) ?? certificateFrom(await fetchText(new URL(address)));
  if (!certificate || now < Date.parse(certificate.validFrom) || now > Date.parse(certificate.validTo)) return null;
  kept.set(address, certificate);
  const [oldest] = kept.keys();
  if (oldest !== undefined && kept.size > certificatesMax) kept.delete(oldest);
  return certificate;
}

function certificateFrom(pem: string): X509Certificate | null {
  try {
    return new X509Certificate(pem);
  } catch {
    return null;
  }
}

/** https://docs.aws.amazon.com/sns/latest/dg/sns-verify-signature-of-message.html */
function isSigned(message: Message, { publicKey }: X509Certificate): boolean {
  const verifying = createVerify(message.SignatureVersion === "1" ? "RSA-SHA1" : "RSA-SHA256");
  for (const [name, value] of signedFields(message)) verifying.update(`${name}\n${value}\n`);
  return publicKey.asymmetricKeyType === "rsa" && verifying.verify(publicKey, message.Signature, "base64");
}

function signedFields(message: Message): (readonly [string, string])[] {
  const { Type, Message, MessageId, Timestamp, TopicArn } = message;
  const others =
    message.Type === "Notification"
      ? { ...(message.Subject == null ? {} : { Subject: message.Subject }) }
      : { SubscribeURL: message.SubscribeURL, Token: message.Token };
  const fields: Record<string, string> = { Message, MessageId, ...others, Timestamp, TopicArn, Type };
  return Object.entries(fields).toSorted(([a], [b]) => (a < b ? -1 : 1));
}

function announcementsOf(message: Message): readonly Announcement[] {
  if (message.Type === "SubscriptionConfirmation") return [{ kind: "confirm", url: message.SubscribeURL }];
  // Opening its URL would subscribe again.
  if (message.Type === "UnsubscribeConfirmation") return [];
  return alertsOfAlarm(parseBoundedJson(message.Message)) ?? [{ kind: "alert", alert: fromText(message) }];
}

/** A message other than a CloudWatch alarm is a failure of its own, in the sender's words. */
function fromText({ Subject, Message, MessageId, Timestamp }: z.infer<typeof notificationSchema>): AnnouncedAlert {
  return {
    key: MessageId,
    state: "firing",
    title: titleFrom(Subject, firstLine.exec(Message)?.[0], "Message from SNS"),
    text: textFrom(Subject, Message),
    service: null,
    env: null,
    severity: null,
    at: time.parse(Timestamp),
    url: null,
  };
}

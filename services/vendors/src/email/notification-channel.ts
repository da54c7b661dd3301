import { type Channel, DeliveryFailure } from "../notifications/channel.ts";
import { mailText } from "./mail-text.ts";
import type { Mailer } from "./mailer.ts";

export interface EmailChannelOptions {
  readonly mailer: Mailer;
  /** Whether mails are sent, or only written to the log. */
  readonly hasMailServer: boolean;
  readonly appUrl: string;
}

/** SMTP replies from here on are permanent (RFC 5321, section 4.2.1). */
const permanentReply = 500;

/** A {@link Channel} by email. Mails about one incident form a thread, and a mail that is sent twice has one Message-ID. */
export function emailChannel({ mailer, hasMailServer, appUrl }: EmailChannelOptions): Channel {
  const domain = new URL(appUrl).hostname;
  const named = (id: string): string => `<${id}@${domain}>`;
  return {
    async send(message, { recipient }, signal) {
      const { incident } = message;
      const thread = incident ? { references: named(incident.id) } : {};
      try {
        const mail = { to: recipient, ...mailText(message), messageId: named(message.id), ...thread };
        await Promise.race([mailer.send(mail), endOf(signal)]);
      } catch (error) {
        throw isRefusal(error)
          ? new DeliveryFailure(`the mail server refused the mail: ${error.message}`, final)
          : error;
      }
      return hasMailServer ? null : "no mail server is configured: the mail was written to the service's log";
    },
  };
}

const final = { isFinal: true } as const;

/** A slow mail server may have accepted the mail after all: then it is sent twice, under one Message-ID. */
function endOf(signal: AbortSignal): Promise<never> {
  return new Promise((_, reject) => {
    const onAbort = (): void => reject(new DeliveryFailure("the mail server did not accept the mail in time"));
    signal.addEventListener("abort", onAbort, { once: true });
  });
}

/** Whether this recipient was refused permanently. Anything else, such as wrong credentials, may get fixed before the next attempt. */
function isRefusal(error: unknown): error is Error {
  if (!(error instanceof Error && "code" in error && "responseCode" in error)) return false;
  return error.code === "EENVELOPE" && Number(error.responseCode) >= permanentReply;
}

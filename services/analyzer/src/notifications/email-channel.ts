import type { Mailer } from "../mail/mailer.ts";
import { type Channel, DeliveryFailure } from "./channel.ts";
import { mailText } from "./mail-text.ts";

export interface EmailChannelOptions {
  readonly mailer: Mailer;
  /** Whether mails reach anybody, or are only written to the log. */
  readonly hasMailServer: boolean;
  readonly appUrl: string;
}

/** SMTP replies from here on are for good (RFC 5321, section 4.2.1). */
const permanentReply = 500;

/** {@link Channel} by mail. Mails about one incident are one thread, and a mail that comes twice has one Message-ID. */
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
        throw isRefusal(error) ? new DeliveryFailure(`the mail server refused it: ${error.message}`, final) : error;
      }
      return hasMailServer ? null : "no mail server is configured: the mail was written to the service's log";
    },
  };
}

const final = { isFinal: true } as const;

/** A mail server that takes its time may have taken the mail: then it comes twice, under one Message-ID. */
function endOf(signal: AbortSignal): Promise<never> {
  return new Promise((_, reject) => {
    const onAbort = (): void => reject(new DeliveryFailure("the mail server did not take it in time"));
    signal.addEventListener("abort", onAbort, { once: true });
  });
}

/** Of this recipient, for good. Anything else, wrong credentials too, somebody may mend meanwhile. */
function isRefusal(error: unknown): error is Error {
  if (!(error instanceof Error && "code" in error && "responseCode" in error)) return false;
  return error.code === "EENVELOPE" && Number(error.responseCode) >= permanentReply;
}

import type { Mailer } from "./mailer.ts";

const connectionTimeoutMs = 10_000;
/** The timeout for the server's greeting, and between two of its replies. */
const replyTimeoutMs = 20_000;
/** Keeps out-of-office replies away (RFC 3834, section 5). */
const headers = { "Auto-Submitted": "auto-generated" } as const;

/** A {@link Mailer} over SMTP, by a URL such as `smtps://user:password@mail.example.com`. */
export function smtpMailer({ url, from }: { readonly url: string; readonly from: string }): Mailer {
  return {
    async send(mail) {
      // Loaded for the first mail, because most processes send none.
      const { createTransport } = await import("nodemailer");
      const transport = createTransport({
        url,
        connectionTimeout: connectionTimeoutMs,
        greetingTimeout: replyTimeoutMs,
        socketTimeout: replyTimeoutMs,
      });
      try {
        await transport.sendMail({ ...mail, from, headers });
      } finally {
        transport.close();
      }
    },
  };
}

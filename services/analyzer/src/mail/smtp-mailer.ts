import type { Mailer } from "./mailer.ts";

const connectionTimeoutMs = 10_000;
/** Until the server greets, and between two of its replies. */
const replyTimeoutMs = 20_000;
/** Nobody who is away answers it (RFC 3834, section 5). */
const headers = { "Auto-Submitted": "auto-generated" } as const;

/** {@link Mailer} over SMTP. `url` is such as `smtps://user:password@mail.example.com`. */
export function smtpMailer({ url, from }: { readonly url: string; readonly from: string }): Mailer {
  return {
    async send(mail) {
      // Loaded when the first mail is sent: most processes send none.
      const { createTransport } = await import("nodemailer");
      const transport = createTransport({
        ...{ url, connectionTimeout: connectionTimeoutMs },
        ...{ greetingTimeout: replyTimeoutMs, socketTimeout: replyTimeoutMs },
      });
      try {
        await transport.sendMail({ ...mail, from, headers });
      } finally {
        transport.close();
      }
    },
  };
}

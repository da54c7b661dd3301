import type { Mailer } from "./mailer.ts";

const connectionTimeoutMs = 10_000;

/** {@link Mailer} over SMTP. `url` is such as `smtps://user:password@mail.example.com`. */
export function smtpMailer({ url, from }: { readonly url: string; readonly from: string }): Mailer {
  return {
    async send(mail) {
      // Loaded when the first mail is sent: most processes send none.
      const { createTransport } = await import("nodemailer");
      const transport = createTransport({ url, connectionTimeout: connectionTimeoutMs });
      try {
        await transport.sendMail({ ...mail, from });
      } finally {
        transport.close();
      }
    },
  };
}

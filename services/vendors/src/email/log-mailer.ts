import type { Mailer } from "./mailer.ts";

/** The part of a logger that takes warnings. */
interface WarningLog {
  warn(fields: object, message: string): void;
}

/** A {@link Mailer} without SMTP: writes mails to the log, from which an operator can pass them on. */
export function logMailer(logger: WarningLog): Mailer {
  return {
    async send({ to, subject, text }) {
      logger.warn({ to, subject, text }, "no SMTP server is configured: a mail was written to the log");
    },
  };
}

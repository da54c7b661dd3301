import type { Logger } from "../logger.ts";
import type { Mailer } from "./mailer.ts";

/** A {@link Mailer} without SMTP: writes mails to the log, from which an operator can pass them on. */
export function logMailer(logger: Pick<Logger, "warn">): Mailer {
  return {
    async send({ to, subject, text }) {
      logger.warn({ to, subject, text }, "no SMTP server is configured: a mail was written to the log");
    },
  };
}

import type { Logger } from "../logger.ts";
import type { Mailer } from "./mailer.ts";

/** {@link Mailer} of a service without SMTP: what would be sent is in the log, for whoever runs the service to pass on. */
export function logMailer(logger: Pick<Logger, "warn">): Mailer {
  return {
    async send({ to, subject, text }) {
      logger.warn({ to, subject, text }, "no SMTP server is configured: a mail was written to the log");
    },
  };
}

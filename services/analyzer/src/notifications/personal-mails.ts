import type { Incident } from "@whence/protocol";
import { type Mail, type Mailer, oneLine } from "@whence/vendors";
import type { Logger } from "../logger.ts";

/** Characters of an incident's title, and of a member's name, in a mail. */
const titleLengthMax = 200;

/** Someone who did something to an incident that a member hears of by mail. */
interface PersonalNews {
  readonly by: string;
  /** The member's email address. */
  readonly to: string;
  readonly incident: Pick<Incident, "title" | "url">;
}

/** The mail to a member who got an incident from another one. */
export function handOverMail({ by, to, incident }: PersonalNews): Mail {
  const [name, title] = [by, incident.title].map((text) => oneLine(text, titleLengthMax));
  return {
    to,
    subject: `${name} handed an incident over to you: ${title}`,
    text: `${name} made you the owner of this incident:

${title}
${incident.url}

Acknowledge it on its page, or hand it over to someone else.
`,
  };
}

/** The mail to a member whom a comment names. */
export function mentionMail({ by, to, incident }: PersonalNews, comment: string): Mail {
  const [name, title] = [by, incident.title].map((text) => oneLine(text, titleLengthMax));
  const quoted = comment.split("\n").map((line) => `> ${line}`);
  return {
    to,
    subject: `${name} mentioned you: ${title}`,
    text: `${name} mentioned you in a comment:

${quoted.join("\n")}

${title}
${incident.url}
`,
  };
}

/** Sends mails without waiting for them: what they report is done. */
export function sendMails(mailer: Mailer, mails: readonly Mail[], logger: Pick<Logger, "warn">): void {
  for (const mail of mails) {
    mailer.send(mail).catch((error: unknown) => logger.warn({ err: error }, "could not mail a member"));
  }
}

/** A letter to one person, as plain text. */
export interface Mail {
  readonly to: string;
  readonly subject: string;
  readonly text: string;
  /** `<…@…>`: a mail that is sent twice has it twice. Made by whoever sends it, where nobody cares. */
  readonly messageId?: string;
  /** The `Message-ID` that it stands under, as in an answer. */
  readonly references?: string;
}

/** Sends mail. */
export interface Mailer {
  /** Resolves once the mail is on its way; rejects when nobody took it. */
  send(mail: Mail): Promise<void>;
}

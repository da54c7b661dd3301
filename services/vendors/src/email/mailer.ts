/** A plain-text mail to one person. */
export interface Mail {
  readonly to: string;
  readonly subject: string;
  readonly text: string;
  /** `<…@…>`, the same when a mail is sent twice. The mailer creates one when it is absent. */
  readonly messageId?: string;
  /** The `Message-ID` of the thread it belongs to. */
  readonly references?: string;
}

/** Sends mail. */
export interface Mailer {
  /** Resolves once the mail was accepted for delivery; rejects when it wasn't. */
  send(mail: Mail): Promise<void>;
}

/** A letter to one person, as plain text. */
export interface Mail {
  readonly to: string;
  readonly subject: string;
  readonly text: string;
}

/** Sends mail. */
export interface Mailer {
  /** Resolves once the mail is on its way; rejects when nobody took it. */
  send(mail: Mail): Promise<void>;
}

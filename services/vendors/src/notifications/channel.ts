import type { Notification, NotificationRule } from "@whence/protocol";

/** The recipient of a message. */
export interface Destination {
  /** The current rule: a corrected webhook gets the messages that were waiting. */
  readonly rule: NotificationRule;
  /** An email address; empty for other channels. */
  readonly recipient: string;
  /** What the rule has for the channel: a secret, a key, a webhook's URL. Null when none was entered, and for email. */
  readonly credential: string | null;
}

/** A way to notify people about incidents. */
export interface Channel {
  /**
   * Makes one attempt, which ends when `signal` fires. Resolves once the message was accepted, with a remark if there is
   * one. Rejects when it wasn't: with a {@link DeliveryFailure} that is final when another attempt wouldn't help. The same
   * message may be sent again under its id, because the outcome of an attempt isn't always known.
   */
  send(message: Notification, to: Destination, signal: AbortSignal): Promise<string | null>;
}

/** A message that wasn't accepted. The text of this error is shown to the organization. */
export class DeliveryFailure extends Error {
  /** No other attempt is made. */
  readonly isFinal: boolean;
  /** How long the recipient asked to wait, as the header `Retry-After`. */
  readonly retryAfter: string | undefined;

  constructor(
    message: string,
    { isFinal = false, retryAfter }: { isFinal?: boolean; retryAfter?: string | undefined } = {},
  ) {
    super(message);
    this.name = "DeliveryFailure";
    this.isFinal = isFinal;
    this.retryAfter = retryAfter;
  }
}

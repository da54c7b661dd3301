import type { Notification, NotificationRule } from "@whence/protocol";

/** Whom a message is for. */
export interface Destination {
  readonly scopeId: string;
  /** As it is now: a webhook that was corrected gets what waits for it. */
  readonly rule: NotificationRule;
  /** An address, where the channel has several recipients of a rule. */
  readonly recipient: string;
}

/** A way to tell people of incidents. */
export interface Channel {
  /**
   * One attempt, over when `signal` fires. Resolves once the message was taken, with what there is to know of that, if
   * anything. Rejects when it was not: with a {@link DeliveryFailure} that is final when another attempt is in vain.
   * The same message may come again under its id: what an attempt has done is not always known.
   */
  send(message: Notification, to: Destination, signal: AbortSignal): Promise<string | null>;
}

/** A message that was not taken. What it says is shown to the organization. */
export class DeliveryFailure extends Error {
  /** No other attempt is made. */
  readonly isFinal: boolean;
  /** What the recipient asked to wait. */
  readonly retryAfterMs: number | null;

  constructor(
    message: string,
    { isFinal = false, retryAfterMs = null }: { isFinal?: boolean; retryAfterMs?: number | null } = {},
  ) {
    super(message);
    this.name = "DeliveryFailure";
    this.isFinal = isFinal;
    this.retryAfterMs = retryAfterMs;
  }
}

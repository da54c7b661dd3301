import type { AlertSourceKind } from "@whence/protocol";
import type { Announcement } from "./announcement.ts";
import type { SenderConnection } from "./sender-connection.ts";

/** A webhook as it arrived. */
export interface ReceivedWebhook {
  /** By lower-case names; of a repeated header, what Node makes of it. */
  readonly headers: Readonly<Record<string, string | string[] | undefined>>;
  /** The bytes that a signature is of. */
  readonly body: Buffer;
}

/** What is entered or made for an alert source, secrets in clear. */
export type SenderInputs = Readonly<Record<string, string>>;

export interface VerifyingContext {
  /** Milliseconds since the epoch. */
  readonly now: number;
  /** Reads a small text from an address of the vendor, through the guard. */
  readonly fetchText: (url: URL) => Promise<string>;
}

/** A sender of webhooks that announce failures. */
export interface AlertSender {
  readonly kind: AlertSourceKind;
  /**
   * The headers that `read` needs, by lower-case names; none when absent. Only these are queued with the body, so no
   * signature and no credential may be among them.
   */
  readonly keptHeaders?: readonly string[];
  /** For networks that the sender can't reach. */
  readonly connection?: SenderConnection;
  /** Whether the sender knew the secret, and the webhook is recent where the sender signs a time. */
  verify(webhook: ReceivedWebhook, inputs: SenderInputs, context: VerifyingContext): boolean | Promise<boolean>;
  /** Names the delivery: the same when the sender sends it again. */
  deliveryId(webhook: ReceivedWebhook): string;
  /** What a webhook is answered with that only proves who answers; null for all others. Asked after `verify`. */
  challenge?(webhook: ReceivedWebhook): Readonly<Record<string, string>> | null;
  /**
   * What a parsed body asks for, and the webhook that it came in, verified, with its {@link keptHeaders}; nothing for what
   * isn't about failures. Throws a zod error for what isn't as documented.
   */
  read(body: unknown, webhook: ReceivedWebhook, inputs: SenderInputs): readonly Announcement[];
}

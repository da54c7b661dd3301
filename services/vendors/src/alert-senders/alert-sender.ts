import type { AlertSourceInput } from "@whence/protocol";
import type { Announcement } from "./announcement.ts";
import type { SenderConnection } from "./sender-connection.ts";
import type { SenderInputs } from "./sender-inputs.ts";

/** A webhook as it arrived. */
export interface ReceivedWebhook {
  /** By lowercase name; a repeated header has the value that Node.js gives it. */
  readonly headers: Readonly<Record<string, string | string[] | undefined>>;
  /** The signed bytes. */
  readonly body: Buffer;
}

export interface VerifyingContext {
  /** Milliseconds since 1970. */
  readonly now: number;
  /** Reads a small text from an address of the vendor, through the guard. */
  readonly fetchText: (url: URL) => Promise<string>;
}

/** A sender of webhooks that announce failures. */
export interface AlertSender {
  /** Names the sender in addresses and metrics: `pagerduty`. Its page of the documentation has the same name. */
  readonly kind: string;
  /** As people know it: `PagerDuty`. */
  readonly label: string;
  /** What a source of it needs, in the order in which a form shows it. */
  readonly inputs: readonly AlertSourceInput[];
  /** How it is set up to post to an address, in short. Markdown; a code block's info string is its label. */
  setup(address: string): string;
  /**
   * The headers that `read` needs, by lowercase name; absent for none. Only these are queued with the body, so they
   * must not include a signature or credential.
   */
  readonly keptHeaders?: readonly string[];
  /** A connection to the sender, for networks that it can't reach. */
  readonly connection?: SenderConnection;
  /** Returns whether the sender knew the secret and, where the sender signs a time, the webhook is recent. */
  verify(webhook: ReceivedWebhook, inputs: SenderInputs, context: VerifyingContext): boolean | Promise<boolean>;
  /** Returns the delivery's ID, which is the same when the sender sends it again. */
  deliveryId(webhook: ReceivedWebhook): string;
  /** Returns the response to a webhook that only verifies the receiver; null for all others. Called after `verify`. */
  challenge?(webhook: ReceivedWebhook): Readonly<Record<string, string>> | null;
  /**
   * Returns what a parsed body announces; empty when it isn't about failures. `webhook` is the verified request, with
   * its {@link keptHeaders}. Throws a zod error for a body that doesn't match the documentation.
   */
  read(body: unknown, webhook: ReceivedWebhook, inputs: SenderInputs): readonly Announcement[];
}

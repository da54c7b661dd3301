import type { AlertSourceKind, Severity } from "@whence/protocol";
import type { CalledOff } from "@whence/storage";
import type { ConversationRequest } from "../conversations/conversation-vendor.ts";

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

/** A failure that someone announces. */
export interface AnnouncedAlert {
  /** The same in everything that the sender sends about one failure, and different for the next one. */
  readonly key: string;
  readonly state: "firing" | "resolved";
  readonly title: string;
  /** What is analyzed: all that the sender says about the failure, as plain text. */
  readonly text: string;
  /** As the sender names it. */
  readonly service: string | null;
  readonly env: string | null;
  readonly severity: Severity | null;
  /** When the failure began; of a resolved one, when it ended, if the sender says so. RFC 3339. */
  readonly at: string;
  /** Where people find it at the sender. */
  readonly url: string | null;
}

/** A release that went live. */
export interface AnnouncedDeploy {
  /** Names the deployment at the sender. */
  readonly key: string;
  /** As telemetry names them. */
  readonly service: string;
  readonly env: string;
  readonly release: string;
  readonly commit: string | null;
  /** When it went live. RFC 3339. */
  readonly at: string;
  /** Where people find it at the sender. */
  readonly url: string | null;
}

/** What a webhook asks for. */
export type Announcement =
  | { readonly kind: "alert"; readonly alert: AnnouncedAlert }
  | { readonly kind: "deploy"; readonly deploy: AnnouncedDeploy }
  /** A deployment that was announced before is live again. `at` is RFC 3339. */
  | { readonly kind: "rollback"; readonly key: string; readonly at: string }
  /** The sender sends nothing until this address was opened. */
  | { readonly kind: "confirm"; readonly url: string }
  /** Someone asks the bot, in a conversation where the answer belongs. */
  | { readonly kind: "request"; readonly request: ConversationRequest }
  /** Someone calls off the request of a conversation. */
  | { readonly kind: "stop"; readonly stopped: CalledOff }
  /** The application was installed at the sender, or removed there. */
  | { readonly kind: "installed" | "removed"; readonly by: string | null };

/** A sender of webhooks that announce failures. */
export interface AlertSender {
  readonly kind: AlertSourceKind;
  /**
   * The headers that `read` needs, by lower-case names; none when absent. Only these are queued with the body, so no
   * signature and no credential may be among them.
   */
  readonly keptHeaders?: readonly string[];
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

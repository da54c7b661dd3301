import type { Severity } from "@whence/protocol";

/** IDs of a channel and thread, or of a repository and issue; and of the requester. */
export type Place = Readonly<Record<string, string>>;

/** A question about a failure in a conversation: in a thread, or on an issue. */
export interface ConversationRequest {
  /** The conversation's ID at its source: a thread, an issue. One failure is investigated in each. */
  readonly thread: string;
  /** The ID of the message or assignment that asks, which is the same when the vendor sends it again. */
  readonly requestId: string;
  readonly how: "assigned" | "mentioned";
  /** The text without the mention of the bot. Empty for an assignment and for a bare mention. */
  readonly question: string;
  /** The requester, as the vendor shows them. */
  readonly author: string;
  /** RFC 3339. */
  readonly at: string;
  readonly place: Place;
}

/** A request that someone canceled. */
export interface CalledOffRequest {
  readonly thread: string;
  /** RFC 3339. */
  readonly at: string;
  /** Where it was canceled. */
  readonly place: Place;
}

/** What people can do with an incident from a message. */
export const messageActions = ["take", "resolve", "mute", "reopen"] as const;
export type MessageAction = (typeof messageActions)[number];

/** A button of a message of the bot's, which someone pressed. */
export interface PressedButton {
  readonly action: MessageAction;
  readonly incidentId: string;
  /** The message with the button. */
  readonly messageId: string;
  /** When it was pressed, by the vendor's clock. RFC 3339. */
  readonly at: string;
  /** Where, and by whom. */
  readonly place: Place;
}

/** An announced failure. */
export interface AnnouncedAlert {
  /** The same in everything that the sender sends about one failure, and different for the next one. */
  readonly key: string;
  readonly state: "firing" | "resolved";
  readonly title: string;
  /** The text to analyze: all that the sender says about the failure, as plain text. */
  readonly text: string;
  /** As named by the sender. */
  readonly service: string | null;
  readonly env: string | null;
  readonly severity: Severity | null;
  /** When the failure began or, for a resolved one, when it ended, if the sender says so. RFC 3339. */
  readonly at: string;
  /** The failure's page at the sender. */
  readonly url: string | null;
}

/** A release that went live. */
export interface AnnouncedDeploy {
  /** The deployment's ID at the sender. */
  readonly key: string;
  /** The service, release, and environment as named in telemetry. */
  readonly service: string;
  readonly env: string;
  readonly release: string;
  readonly commit: string | null;
  /** When it went live. RFC 3339. */
  readonly at: string;
  /** The deployment's page at the sender. */
  readonly url: string | null;
}

/** What a webhook announces. */
export type Announcement =
  | { readonly kind: "alert"; readonly alert: AnnouncedAlert }
  | { readonly kind: "deploy"; readonly deploy: AnnouncedDeploy }
  /** A deployment that was announced earlier is live again. `at` is RFC 3339. */
  | { readonly kind: "rollback"; readonly key: string; readonly at: string }
  /** The sender sends nothing until this address has been opened. */
  | { readonly kind: "confirm"; readonly url: string }
  /** Someone asks the bot, in a conversation to which the answer is posted. */
  | { readonly kind: "request"; readonly request: ConversationRequest }
  /** Someone cancels the request of a conversation. */
  | { readonly kind: "stop"; readonly stopped: CalledOffRequest }
  /** Someone pressed a button. */
  | { readonly kind: "press"; readonly pressed: PressedButton }
  /** The application was installed at the sender, or removed there. */
  | { readonly kind: "installed" | "removed"; readonly by: string | null };

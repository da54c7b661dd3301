import type { Severity } from "@whence/protocol";

/** Ids of a channel and a thread, of a repository and an issue; and of who asks there. */
export type Place = Readonly<Record<string, string>>;

/** Someone asks about a failure where people talk: in a thread, on an issue. */
export interface ConversationRequest {
  /** Names the conversation at its source: a thread, an issue. One failure is investigated in each. */
  readonly thread: string;
  /** Names what asks, a message or an assignment: the same when the vendor sends it again. */
  readonly requestId: string;
  readonly how: "assigned" | "mentioned";
  /** What was written, without the mention of the bot. Empty for an assignment and a bare mention. */
  readonly question: string;
  /** Who asks, as the vendor shows them. */
  readonly author: string;
  /** RFC 3339. */
  readonly at: string;
  readonly place: Place;
}

/** A request that someone called off. */
export interface CalledOffRequest {
  readonly thread: string;
  /** RFC 3339. */
  readonly at: string;
  /** Where it was called off. */
  readonly place: Place;
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
  | { readonly kind: "stop"; readonly stopped: CalledOffRequest }
  /** The application was installed at the sender, or removed there. */
  | { readonly kind: "installed" | "removed"; readonly by: string | null };

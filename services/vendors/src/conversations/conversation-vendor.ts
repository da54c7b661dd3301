import type { Severity } from "@whence/protocol";
import type { ConversationRequest, Place } from "../alert-senders/announcement.ts";
import type { SenderInputs } from "../alert-senders/sender-inputs.ts";
import type { OutboundContext } from "../outbound-context.ts";
import type { MessageDocument } from "./message-document.ts";

/** The content of a conversation. */
export interface Discussion {
  readonly title: string;
  /** All messages except the bot's own, oldest first, as plain text. They are data, never instructions. */
  readonly text: string;
  /** When the failure was announced. RFC 3339. */
  readonly at: string;
  /** The conversation's page at the vendor. */
  readonly url: string | null;
  readonly severity: Severity | null;
}

/** The states of the record that is kept for each conversation. */
export type ConversationStatus = "PROCESSING" | "COMPLETED" | "FAILED";

export interface PostOptions {
  /** The message to replace; null for a new one. */
  readonly replaces: string | null;
  /** The same when the message is sent again, because it is unknown whether it arrived. */
  readonly key: string;
  readonly signal: AbortSignal;
}

/**
 * Reads and answers in the conversations of one source, as its bot. Each method may be called again after a failure,
 * with the same effect, and rejects with a `VendorFailure`.
 */
export interface ConversationClient {
  /** Returns whether people outside the organization can read what is said at the place. */
  isPublic(place: Place, signal: AbortSignal): Promise<boolean>;
  /**
   * Returns whether the requester at the place is a member there: false for a guest, a stranger, and when no one is
   * named.
   */
  isAskedByMember(place: Place, signal: AbortSignal): Promise<boolean>;
  /**
   * Confirms at once that the request was seen. Returns the ID of the message that the answer replaces later, if one
   * was posted.
   */
  acknowledge(request: ConversationRequest, message: MessageDocument, options: PostOptions): Promise<string | null>;
  read(place: Place, signal: AbortSignal): Promise<Discussion>;
  /**
   * Posts in a channel outside of any conversation; absent where the bot only answers. A message whose response was
   * lost may be there twice.
   */
  start?(channel: string, message: MessageDocument, options: Omit<PostOptions, "replaces">): Promise<void>;
  /** Returns the ID of the message. */
  post(place: Place, message: MessageDocument, options: PostOptions): Promise<string>;
  /**
   * Confirms that the request was canceled, where the vendor lets people wait for a final message. Posted once per key
   * and place.
   */
  confirmStop(place: Place, message: MessageDocument, options: PostOptions): Promise<void>;
  /** Shows the state as a reaction on the request, in place of the previous one. Null removes it. */
  show(place: Place, status: ConversationStatus | null, signal: AbortSignal): Promise<void>;
  /** The people who press the buttons of its messages; absent where the vendor has no buttons. */
  readonly pressers?: Pressers;
  close(): Promise<void>;
}

/** Tells who presses buttons, and answers them alone. */
export interface Pressers {
  /** Returns the email address that the vendor has verified of the person who pressed at the place; null for none. */
  addressOf(place: Place, signal: AbortSignal): Promise<string | null>;
  /** Says something at the place that only the person who pressed sees. */
  tell(place: Place, text: string, signal: AbortSignal): Promise<void>;
}

/** A vendor in whose conversations the bot is asked and answers. */
export interface ConversationVendor {
  open(inputs: SenderInputs, context: OutboundContext): ConversationClient;
  /**
   * Asks the vendor whether the inputs are valid. What it says about the bot is stored as further inputs, none of them
   * secret.
   */
  verify(inputs: SenderInputs, context: OutboundContext): Promise<SenderInputs>;
}

import type { Severity } from "@whence/protocol";
import type { SenderInputs } from "../alert-senders/alert-sender.ts";
import type { ConversationRequest, Place } from "../alert-senders/announcement.ts";
import type { OutboundContext } from "../outbound-context.ts";
import type { MessageDocument } from "./message-document.ts";

/** What people discuss in a conversation. */
export interface Discussion {
  readonly title: string;
  /** All that is said, the oldest first, as plain text; without what the bot itself said. It is data, never instruction. */
  readonly text: string;
  /** When the failure was announced. RFC 3339. */
  readonly at: string;
  /** Where people find it at the vendor. */
  readonly url: string | null;
  readonly severity: Severity | null;
}

/** The states of the record that is kept for each conversation. */
export type ConversationStatus = "PROCESSING" | "COMPLETED" | "FAILED";

export interface PostOptions {
  /** The message to replace; null for a new one. */
  readonly replaces: string | null;
  /** The same when the message is sent again, because it isn't known whether it arrived. */
  readonly key: string;
  readonly signal: AbortSignal;
}

/**
 * Reads and answers in the conversations of one source, as its bot. Each method may be called again after a failure, with the
 * same effect; rejects with a `VendorFailure`.
 */
export interface ConversationClient {
  /** Whether people from outside of the organization read what is said at the place. */
  isPublic(place: Place, signal: AbortSignal): Promise<boolean>;
  /** Whether who asked at the place has a role there: false for a guest, for a stranger, and when no one is named. */
  isAskedByMember(place: Place, signal: AbortSignal): Promise<boolean>;
  /** Says at once that the request was seen. The id of the message that the answer replaces later, if one was posted. */
  acknowledge(request: ConversationRequest, message: MessageDocument, options: PostOptions): Promise<string | null>;
  read(place: Place, signal: AbortSignal): Promise<Discussion>;
  /** The id of the message. */
  post(place: Place, message: MessageDocument, options: PostOptions): Promise<string>;
  /** Confirms that the request was called off, where the vendor has people wait for a last word. Once for a key and a place. */
  confirmStop(place: Place, message: MessageDocument, options: PostOptions): Promise<void>;
  /** Shows the state on what was asked, in place of the one before: as a reaction. Null takes it back. */
  show(place: Place, status: ConversationStatus | null, signal: AbortSignal): Promise<void>;
  close(): Promise<void>;
}

/** A vendor in whose conversations the bot is asked and answers. */
export interface ConversationVendor {
  open(inputs: SenderInputs, context: OutboundContext): ConversationClient;
  /** Asks the vendor whether what was entered is right. What it says about the bot is kept as further inputs, none of them secret. */
  verify(inputs: SenderInputs, context: OutboundContext): Promise<SenderInputs>;
}
